/** Earlier actions, which the up and down arrows bring back into a field. */
export class ActionHistory {
  private place: number | null = null;
  private draft = "";

  /** Returns the next older or newer action, or null at the end. @param direction -1 is older */
  move(actions: readonly string[], direction: 1 | -1, present: string): string | null {
    if (this.place === null) {
      if (direction === 1) return null;
      this.draft = present;
    }
    const next = (this.place ?? actions.length) + direction;
    if (next < 0) return null;
    this.place = next >= actions.length ? null : next;
    return this.place === null ? this.draft : (actions[next] as string);
  }

  reset(): void {
    this.place = null;
  }
}
