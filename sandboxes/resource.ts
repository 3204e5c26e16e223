/** Base interface of the sandboxes, services and sessions that a provider opens. */
export interface Resource {
  /** Id of the resource, unique on this machine. */
  readonly id: string;
  /** Aborts when the resource ends without a call of `close`. The reason is a SandboxError with the code LOST. */
  readonly lost: AbortSignal;
  /**
   * Frees the resource. After `close`, every other method fails with LOST. A second call of `close` does nothing. Never
   * rejects.
   */
  close(): Promise<void>;
}
