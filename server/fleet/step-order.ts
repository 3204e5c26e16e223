/**
 * Keeps the steps of an episode in the order of their arrival while its gym is looked for. A client may send a step before the
 * reply to the previous one. Without this order, a later step could overtake a repeated one, or one on another connection.
 */

export class StepOrder {
  /** Steps without a reply, by the key of their episode, the oldest first. */
  private readonly turns = new Map<number, StepTurn[]>();

  /** Adds a step. The caller must remove it after the reply. */
  enter(key: number): StepTurn {
    let queue = this.turns.get(key);
    if (!queue) {
      queue = [];
      this.turns.set(key, queue);
    }
    const turn = new StepTurn(queue);
    queue.push(turn);
    return turn;
  }

  /** @param isLost whether no gym could take the step, so that none can take the steps behind it */
  leave(key: number, turn: StepTurn, isLost: boolean): void {
    const queue = this.turns.get(key) as StepTurn[];
    queue.splice(queue.indexOf(turn), 1);
    if (queue.length === 0) this.turns.delete(key);
    turn.end(isLost);
  }
}

export class StepTurn {
  /** If true, the step waits for all earlier steps, and all later steps wait for it. */
  isAlone = false;
  private readonly waiting: ((isLost: boolean) => void)[] = [];

  constructor(private readonly queue: readonly StepTurn[]) {}

  /** Whether a step before this one has no reply yet. */
  get isBehind(): boolean {
    return this.queue[0] !== this;
  }

  get mustWait(): boolean {
    const before = this.queue.indexOf(this);
    return before > 0 && (this.isAlone || this.queue.slice(0, before).some(({ isAlone }) => isAlone));
  }

  /** Waits until the step may be sent. Returns false if a step before it was lost. */
  async wait(): Promise<boolean> {
    while (this.mustWait) {
      const [first] = this.queue as [StepTurn];
      if (await new Promise<boolean>((resolve) => first.waiting.push(resolve))) return false;
    }
    return true;
  }

  end(isLost: boolean): void {
    for (const resolve of this.waiting) resolve(isLost);
  }
}
