/**
 * Thrown where a mission that is being made is given up, to begin the next on the same random stream. `rejected` is
 * MiniGrid's RejectSampling, `timedOut` the RecursionError that it throws after too many tries. They are made once:
 * in some levels most attempts end so, and a stack trace would cost more than the attempt.
 */
export class Rejection extends Error {
  override readonly name = "Rejection";
}

export const rejected = new Rejection("expected a mission of the level, but received one that breaks its rules");
export const timedOut = new Rejection("expected a place or a match within the allowed tries, but received none");
