/**
 * The best joint play of a pair. A seat can act for the goal only if it knows the goal's command: one seat reads it, and
 * the other one knows it once it was said. Each ingredient can be got by one seat alone, either seat can craft, and the
 * seats take turns. The shortest play is found by breadth-first search over turn, what was said, and what was got.
 */

export const seats = ["left", "right"] as const;
export type Seat = (typeof seats)[number];

/** What a seat does for the goal in its turn. `get` is the number of the ingredient. */
export type Move = { do: "get"; get: number } | { do: "craft" } | { do: "say" } | { do: "wait" };

export interface PairState {
  readonly turn: Seat;
  readonly isTold: boolean;
  /** Numbers of the ingredients that were got. */
  readonly got: readonly number[];
}

export interface Parts {
  /** Seat that reads the goal's command. */
  readonly reader: Seat;
  /** For each ingredient, the seat that can get it. */
  readonly getters: readonly Seat[];
}

export function otherThan(seat: Seat): Seat {
  return seat === "left" ? "right" : "left";
}

/** Returns the moves of a shortest joint play from a state. */
export function shortestPlay(parts: Parts, start: PairState): Move[] {
  const seen = new Set([keyOf(start)]);
  let front: { state: PairState; moves: Move[] }[] = [{ state: start, moves: [] }];
  while (front.length > 0) {
    const next: typeof front = [];
    for (const { state, moves } of front) {
      for (const move of movesIn(parts, state)) {
        const all = [...moves, move];
        if (move.do === "craft") return all;
        const after = stateAfter(state, move);
        if (seen.has(keyOf(after))) continue;
        seen.add(keyOf(after));
        next.push({ state: after, moves: all });
      }
    }
    front = next;
  }
  throw new Error("expected a play that crafts the goal, but found none");
}

/** Returns the moves of the seat that acts, the preferred first. */
function movesIn({ reader, getters }: Parts, { turn, isTold, got }: PairState): Move[] {
  const knows = isTold || turn === reader;
  if (!knows) return [{ do: "wait" }];
  const missing = getters.flatMap((_, at) => (got.includes(at) ? [] : [at]));
  if (missing.length === 0) return [{ do: "craft" }];
  const own = missing.filter((at) => getters[at] === turn);
  const gets: Move[] = own.map((get) => ({ do: "get", get }));
  return isTold ? [...gets, { do: "wait" }] : [{ do: "say" }, ...gets, { do: "wait" }];
}

function stateAfter({ turn, isTold, got }: PairState, move: Move): PairState {
  return {
    turn: otherThan(turn),
    isTold: isTold || move.do === "say",
    got: move.do === "get" ? [...got, move.get].sort() : got,
  };
}

function keyOf({ turn, isTold, got }: PairState): string {
  return `${turn} ${isTold} ${got.join()}`;
}
