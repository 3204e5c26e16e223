/**
 * Thrown when the generation of a mission is abandoned; the next attempt uses the same random stream. `rejected` is
 * MiniGrid's RejectSampling. `timedOut` replaces MiniGrid's RecursionError after too many tries. Each error object is
 * created once and reused: in some levels most attempts fail, and a new stack trace would cost more than the attempt.
 */
export class Rejection extends Error {
  override readonly name = "Rejection";
}

export const rejected = new Rejection("The mission breaks a rule of its level.");
export const timedOut = new Rejection("No place or match was found within the allowed tries.");
