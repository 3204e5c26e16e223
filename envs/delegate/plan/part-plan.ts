/**
 * The best way to get one part answered, by dynamic programming over the helpers that have been asked.
 *
 * The model: helper h answers right with probability `right`, independently of the others, and wrong answers never
 * coincide. So two equal answers are right. As long as all answers differ, the helpers asked are all that there is to know:
 * exactly one of them is right, or none. After each answer the director stops with the likeliest answer, or pays the next
 * helper. The worth of a right answer and the costs have the same unit, the return of an episode.
 */
export interface Candidate {
  cost: number;
  /** Believed probability of a right answer. */
  right: number;
}

/** Set of candidates, one bit each. */
type Asked = number;

interface Choice {
  /** Expected gain from here on, without what has been paid. */
  gain: number;
  /** Expected cost from here on. */
  cost: number;
  /** Place of the candidate to ask next, or null to stop. */
  next: number | null;
}

export class PartPlan {
  private readonly choices: (Choice | undefined)[];

  /** @param worth return for a right answer */
  constructor(
    private readonly candidates: readonly Candidate[],
    private readonly worth: number,
  ) {
    this.choices = new Array(2 ** candidates.length);
  }

  /** Returns the best choice after these candidates have given different answers. */
  choose(asked: Asked): Choice {
    this.choices[asked] ??= this.computed(asked);
    return this.choices[asked];
  }

  /** Returns the candidate whose answer is the likeliest, or null if none has been asked. */
  trusted(asked: Asked): number | null {
    const chances = this.chances(asked);
    const best = chances.reduce((most, chance, at) => (chance > (chances[most] as number) ? at : most), 0);
    return (chances[best] ?? 0) > 0 ? best : null;
  }

  private computed(asked: Asked): Choice {
    const chances = this.chances(asked);
    let best: Choice = { gain: this.worth * Math.max(0, ...chances), cost: 0, next: null };
    const anyRight = chances.reduce((sum, chance) => sum + chance, 0);
    for (const [next, { cost, right }] of this.candidates.entries()) {
      if (asked & (1 << next)) continue;
      const agrees = anyRight * right;
      const later = this.choose(asked | (1 << next));
      const gain = agrees * this.worth + (1 - agrees) * later.gain - cost;
      // A tiny gain may be an error of rounding.
      if (gain > best.gain + 1e-12) best = { gain, cost: cost + (1 - agrees) * later.cost, next };
    }
    return best;
  }

  /** Returns for each candidate the probability that its answer is right, given that all answers differ. */
  private chances(asked: Asked): number[] {
    const isAsked = (at: number) => (asked & (1 << at)) !== 0;
    const others = (own: number) =>
      this.candidates.reduce(
        (product, { right }, at) => (at === own || !isAsked(at) ? product : product * (1 - right)),
        1,
      );
    const weights = this.candidates.map(({ right }, at) => (isAsked(at) ? right * others(at) : 0));
    const total = weights.reduce((sum, weight) => sum + weight, others(-1));
    return weights.map((weight) => (total > 0 ? weight / total : 0));
  }
}
