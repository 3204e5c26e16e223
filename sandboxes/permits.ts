/** Permits to make sandboxes of one kind. A sandbox needs a permit from before its start until after its end. */

export interface WaitBounds {
  /** Longest wait of the caller, in milliseconds. Default: unlimited. */
  waitMs?: number;
  /** Returns the error for a full queue or an expired wait. Required when the wait or the queue is limited. */
  full?: () => Error;
  /** Signal that aborts the wait with its reason. */
  signal?: AbortSignal | undefined;
}

/** Source of the permits of one kind. Its callers may be in several processes, which then share the limit. */
export interface Permits {
  /** Largest number of permits at once. */
  readonly most: number;
  /** Number of callers that wait for a permit, in this process and in others. */
  readonly waitingCount: number;
  /**
   * Whether this process should give up a permit whose sandbox is still in use, as soon as its users allow it, because
   * a caller in another process waits that holds fewer permits.
   */
  readonly mustShare: boolean;
  /**
   * Resolves when the caller gets a permit. The caller that has waited longest is served first.
   *
   * @returns a function that gives the permit back; a second call does nothing
   * @throws the error of `full` @throws the signal's reason @throws the error passed to `failAll`
   */
  take(bounds?: WaitBounds): Promise<() => void>;
  /** Rejects the callers of this process that wait. */
  failAll(error: unknown): void;
  /** Calls the listener when callers wait, so that the holder of an unused sandbox can give up its permit. */
  onWaiting(listener: () => void): void;
}
