/**
 * Deals over goods that two seats share, after "Deal or No Deal?" (Lewis et al. 2017): each seat values the goods for
 * itself, and all goods together are worth the same to both.
 */
import { Pcg64 } from "../shared/rng/pcg64.js";

export const seats = ["left", "right"] as const;
export type Seat = (typeof seats)[number];

/** Names of the goods, one and several. */
export const goods = [
  ["book", "books"],
  ["hat", "hats"],
  ["ball", "balls"],
] as const;

/** Worth of all goods together, for each seat. */
export const worth = 10;

/** Numbers of the goods, in the order of `goods`. */
export type Amounts = readonly number[];

export interface Bargain {
  readonly amounts: Amounts;
  /** Worth of one piece of each good, by seat. */
  readonly values: Readonly<Record<Seat, Amounts>>;
}

/** A division of the goods, and what each seat gets out of it. */
export interface Outcome {
  /** What the seat `left` gets. */
  readonly left: Amounts;
  readonly worths: Readonly<Record<Seat, number>>;
}

/** The best outcomes of a bargain. */
export interface Best {
  /** Outcomes that no other outcome improves for one seat without loss for the other. */
  readonly pareto: readonly Outcome[];
  /** Highest sum of both worths. */
  readonly sum: number;
  /** Highest product of both worths, which the Nash bargaining solution has (Nash 1950): without a deal both get 0. */
  readonly product: number;
}

/** Most pieces of one good, and least and most pieces of all. */
const most = 4;
const total = { least: 5, most: 7 };

/** Draws a bargain. Each good is worth something to a seat, and each seat wants something. */
export function drawn(seed: number): Bargain {
  const random = new Pcg64(seed);
  for (;;) {
    const amounts = goods.map(() => random.integers(1, most + 1));
    const count = amounts.reduce((sum, amount) => sum + amount, 0);
    if (count < total.least || count > total.most) continue;
    const all = valuations(amounts);
    const [left, right] = seats.map(() => all[random.integers(0, all.length)] as Amounts);
    const isWanted = amounts.every((_, at) => (left?.[at] ?? 0) + (right?.[at] ?? 0) > 0);
    if (left && right && isWanted) return { amounts, values: { left, right } };
  }
}

/** Returns all values of the goods with which they are worth `worth` together. */
function valuations([first = 0, second = 0, third = 0]: Amounts): Amounts[] {
  const found: Amounts[] = [];
  for (let a = 0; a * first <= worth; a++) {
    for (let b = 0; a * first + b * second <= worth; b++) {
      const rest = worth - a * first - b * second;
      if (rest % third === 0) found.push([a, b, rest / third]);
    }
  }
  return found;
}

export function worthOf(amounts: Amounts, values: Amounts): number {
  return amounts.reduce((sum, amount, at) => sum + amount * (values[at] as number), 0);
}

export function rest(all: Amounts, taken: Amounts): Amounts {
  return all.map((amount, at) => amount - (taken[at] as number));
}

export function outcomeOf({ amounts, values }: Bargain, left: Amounts): Outcome {
  const right = rest(amounts, left);
  return { left, worths: { left: worthOf(left, values.left), right: worthOf(right, values.right) } };
}

/** Returns all divisions of the goods. */
export function outcomes(bargain: Bargain): Outcome[] {
  const [first = 0, second = 0, third = 0] = bargain.amounts;
  const found: Outcome[] = [];
  for (let a = 0; a <= first; a++)
    for (let b = 0; b <= second; b++) for (let c = 0; c <= third; c++) found.push(outcomeOf(bargain, [a, b, c]));
  return found;
}

export function bestOf(bargain: Bargain): Best {
  const all = outcomes(bargain);
  const beats = (one: Outcome, other: Outcome) =>
    one.worths.left >= other.worths.left && one.worths.right >= other.worths.right && sumOf(one) > sumOf(other);
  return {
    pareto: all.filter((outcome) => !all.some((other) => beats(other, outcome))),
    sum: Math.max(...all.map(sumOf)),
    product: Math.max(...all.map(productOf)),
  };
}

export function sumOf({ worths }: Outcome): number {
  return worths.left + worths.right;
}

export function productOf({ worths }: Outcome): number {
  return worths.left * worths.right;
}

/**
 * Returns a division with the highest sum that a seat finds by comparing values, good by good: each good goes to the seat
 * that values it more. Of a good that both value alike, each piece goes to the seat that has got less so far.
 */
export function fairest(bargain: Bargain): Outcome {
  const { amounts, values } = bargain;
  const differ = (at: number) => values.left[at] !== values.right[at];
  const left = amounts.map((amount, at) => ((values.left[at] as number) > (values.right[at] as number) ? amount : 0));
  const got = outcomeOf({ amounts: amounts.map((amount, at) => (differ(at) ? amount : 0)), values }, left).worths;
  let { left: ofLeft, right: ofRight } = got;
  for (const [at, amount] of amounts.entries()) {
    const value = values.left[at] as number;
    for (let piece = 0; piece < amount && !differ(at); piece++) {
      if (ofLeft > ofRight) ofRight += value;
      else {
        ofLeft += value;
        left[at] = (left[at] as number) + 1;
      }
    }
  }
  return outcomeOf(bargain, left);
}
