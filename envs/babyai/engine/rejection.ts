/**
 * Thrown when the generation of a mission is abandoned; the next attempt uses the same random stream. `rejected` is
 * MiniGrid's RejectSampling. `timedOut` is MiniGrid's RecursionError after too many tries. Both errors are made only
 * once: in some levels most attempts end with one, and a stack trace would cost more than the attempt.
 */
export class Rejection extends Error {
  override readonly name = "Rejection";
}

export const rejected = new Rejection("The mission breaks a rule of its level.");
export const timedOut = new Rejection("No place or match was found within the allowed tries.");
