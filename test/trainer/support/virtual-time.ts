/** A clock that stands still until `advance`, which jumps to the next due wait. */
export class VirtualTime {
  private now = 0;
  private readonly due: { at: number; resolve(): void }[] = [];

  wait(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.due.push({ at: this.now + ms, resolve });
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  }

  /** Lets all pending promises settle, then ends the wait that is due next. Returns false if no wait is due. */
  async advance(): Promise<boolean> {
    await settled();
    if (this.due.length === 0) return false;
    const next = this.due.reduce((first, each) => (each.at < first.at ? each : first));
    this.due.splice(this.due.indexOf(next), 1);
    this.now = next.at;
    next.resolve();
    await settled();
    return true;
  }
}

/** Resolves once all pending promise callbacks have run. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
