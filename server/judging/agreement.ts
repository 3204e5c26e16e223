/**
 * Agreement of raters who judged the same pairs of episodes.
 *
 * Sources: J. Cohen, "A Coefficient of Agreement for Nominal Scales", 1960 (kappa of two raters); K. Krippendorff,
 * "Computing Krippendorff's Alpha-Reliability", 2011 (alpha of any number of raters, with missing judgments).
 */
import { type Choice, type Judgment, newestOf, pairOf } from "./judgment.js";

export interface RaterPair {
  readonly raters: readonly [string, string];
  /** Number of pairs of episodes that both raters judged. */
  readonly shared: number;
  /** Number of these on which both made the same choice. */
  readonly agreed: number;
  /** Cohen's kappa, or null if it is undefined because both raters always made the same single choice. */
  readonly kappa: number | null;
}

export interface Agreement {
  /** Number of pairs of episodes that were judged. */
  readonly judgedPairs: number;
  readonly raters: readonly { readonly name: string; readonly judged: number }[];
  readonly pairs: readonly RaterPair[];
  /** Krippendorff's alpha for nominal data, or null if no two raters judged the same pair, or all made one choice. */
  readonly alpha: number | null;
}

/** Choices of one pair of episodes by rater. A choice does not depend on which episode was left. */
type Ratings = ReadonlyMap<string, string>;

export function agreementOf(judgments: readonly Judgment[]): Agreement {
  const units = new Map<string, Map<string, string>>();
  const counts = new Map<string, number>();
  for (const judgment of newestOf(judgments)) {
    const unit = units.get(pairOf(judgment)) ?? new Map<string, string>();
    units.set(pairOf(judgment), unit.set(judgment.rater, turned(judgment)));
    counts.set(judgment.rater, (counts.get(judgment.rater) ?? 0) + 1);
  }
  const names = [...counts.keys()].sort();
  const ratings = [...units.values()];
  const pairs = names.flatMap((first, at) => names.slice(at + 1).map((second) => betweenTwo(ratings, first, second)));
  return {
    judgedPairs: units.size,
    raters: names.map((name) => ({ name, judged: counts.get(name) as number })),
    pairs: pairs.filter(({ shared }) => shared > 0),
    alpha: alphaOf(ratings.map((unit) => [...unit.values()])),
  };
}

/** Returns the choice as if the episode with the lower id were left. */
function turned({ left, right, choice }: Judgment): Choice {
  if (left < right || choice === "tie" || choice === "bad") return choice;
  return choice === "left" ? "right" : "left";
}

function betweenTwo(units: readonly Ratings[], first: string, second: string): RaterPair {
  const both = units.flatMap((unit) => {
    const [a, b] = [unit.get(first), unit.get(second)];
    return a === undefined || b === undefined ? [] : [[a, b] as const];
  });
  const agreed = both.filter(([a, b]) => a === b).length;
  return { raters: [first, second], shared: both.length, agreed, kappa: kappaOf(both) };
}

/** Returns Cohen's kappa of two raters, or null if it is undefined. @param both the choices of both raters on each unit */
export function kappaOf(both: readonly (readonly [string, string])[]): number | null {
  const count = both.length;
  if (count === 0) return null;
  const observed = both.filter(([a, b]) => a === b).length / count;
  const [ofFirst, ofSecond] = [countsOf(both.map(([a]) => a)), countsOf(both.map(([, b]) => b))];
  let expected = 0;
  for (const [choice, times] of ofFirst) expected += (times / count) * ((ofSecond.get(choice) ?? 0) / count);
  return expected === 1 ? null : (observed - expected) / (1 - expected);
}

/** Returns Krippendorff's alpha for nominal data, or null if it is undefined. @param units the choices on each unit */
export function alphaOf(units: readonly (readonly string[])[]): number | null {
  const paired = units.filter((unit) => unit.length > 1);
  const totals = countsOf(paired.flat());
  const count = paired.reduce((sum, unit) => sum + unit.length, 0);
  let disagreements = 0;
  for (const unit of paired) {
    const same = [...countsOf(unit).values()].reduce((sum, times) => sum + times * (times - 1), 0);
    disagreements += (unit.length * (unit.length - 1) - same) / (unit.length - 1);
  }
  const alike = [...totals.values()].reduce((sum, times) => sum + times * (times - 1), 0);
  const expected = count * (count - 1) - alike;
  return expected === 0 ? null : 1 - ((count - 1) * disagreements) / expected;
}

function countsOf(choices: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const choice of choices) counts.set(choice, (counts.get(choice) ?? 0) + 1);
  return counts;
}
