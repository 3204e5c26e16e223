/** A clock that stands still until it is told to go on, and then jumps to whatever is due next. */
export class VirtualTime {
  private now = 0;
  private readonly due: { at: number; resolve(): void }[] = [];

  wait(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.due.push({ at: this.now + ms, resolve });
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  }

  /** Lets everybody act on what has happened, then takes the next thing that is due. False where nothing is. */
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

/** Until no promise has anybody left to call. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
