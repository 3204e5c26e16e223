/** Anything that a provider opens. */
export interface Resource {
  /** Unique on this machine. */
  readonly id: string;
  /** Aborts when it is gone without having been closed. Its reason is a SandboxError with the code LOST. */
  readonly lost: AbortSignal;
  /** Frees all that it holds. From then on every other call is refused as LOST. A second call does nothing. Never rejects. */
  close(): Promise<void>;
}
