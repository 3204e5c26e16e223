import { isDraining, isElsewhere } from "../episodes/episode/refusals.js";
import { type ErrorBody, errorTable, GymError } from "../errors.js";

/** Another gym could not be reached, or ended before its reply. */
export class PeerLost extends Error {
  override readonly name = "PeerLost";

  /** @param mayHaveRun whether the operation may have run on the other gym */
  constructor(
    message: string,
    readonly mayHaveRun = false,
  ) {
    super(message);
  }
}

/** Returns the error of an operation from the reply of another gym. */
export function errorIn(text: string): Error {
  try {
    return errorOf((JSON.parse(text) as { error: ErrorBody }).error);
  } catch {
    return new PeerLost("the other gym sent no error that this gym knows", true);
  }
}

/** Returns the error of an operation of another gym. */
export function errorOf(error: ErrorBody): Error {
  if (!Object.hasOwn(errorTable, error.code))
    return new PeerLost(`the other gym sent the unknown error ${error.code}`, true);
  const known = GymError.reported(error);
  // A gym that is about to end begins nothing, so the next gym can carry out the operation.
  return isDraining(known) ? GymError.ofState("EPISODE_ELSEWHERE", known.message) : known;
}

/** Whether a request may have been carried out by a gym that was lost, or that has lost its episodes meanwhile. */
export function mayHaveRun(error: unknown): boolean {
  if (error instanceof PeerLost) return error.mayHaveRun;
  return isElsewhere(error) && error.details?.mayBeTaken === true;
}
