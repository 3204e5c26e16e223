/**
 * The permits of a gym for its sandboxes. The processes of async environments share them, so that the limits of the settings
 * hold for the whole gym.
 */

import { mostWaitingPermits, type PermitNews, type ProcessSetup } from "./process/process-protocol.js";
import { type PermitKind, permitLimits, type SandboxKind, sandboxKinds } from "./sandbox-kinds.js";

interface Permit {
  kind: PermitKind;
  /** Number that the process has given to its request. */
  number: number;
  holder: PermitHolder;
}

/** The permits of one kind, and the requests that wait for one. */
interface Kind {
  readonly name: PermitKind;
  readonly most: number;
  readonly held: Set<Permit>;
  /** Ordered from the longest to the shortest wait. */
  readonly line: Set<Permit>;
  isTelling: boolean;
}

export interface SandboxCount {
  /** Sandboxes that run, start or end, or are kept for later use. */
  held: number;
  /** Requests that wait until one of them has ended. */
  waiting: number;
}

export class GymPermits {
  private readonly kinds = new Map<PermitKind, Kind>();
  private readonly holders = new Set<PermitHolder>();

  /** @param untilGone resolves when no sandbox of a process that has ended runs any more */
  constructor(
    sandboxes: ProcessSetup["sandboxes"],
    readonly untilGone: (kind: PermitKind, pid: number) => Promise<void>,
  ) {
    for (const [name, most] of Object.entries(permitLimits(sandboxes)) as [PermitKind, number][])
      this.kinds.set(name, { name, most, held: new Set(), line: new Set(), isTelling: false });
  }

  /** Returns the permits of a new process. @param tell sends a message to the process */
  holder(tell: (news: PermitNews) => void): PermitHolder {
    const holder = new PermitHolder(this, tell);
    this.holders.add(holder);
    return holder;
  }

  remove(holder: PermitHolder): void {
    this.holders.delete(holder);
  }

  /** Returns the number of sandboxes of each kind in all processes. */
  counts(): Record<SandboxKind, SandboxCount> {
    const count = (kind: PermitKind) => {
      const { held, line } = this.of(kind);
      return { held: held.size, waiting: line.size };
    };
    const counts = Object.fromEntries(sandboxKinds.map((kind) => [kind, count(kind)])) as Record<
      SandboxKind,
      SandboxCount
    >;
    counts.browsers.held += count("retiringBrowsers").held;
    return counts;
  }

  add(permit: Permit): void {
    const kind = this.of(permit.kind);
    kind.line.add(permit);
    permit.holder.count(permit.kind).waiting += 1;
    this.serve(kind);
    if (!kind.held.has(permit)) permit.holder.tell({ type: "permit-waits", permit: permit.number });
  }

  /** Frees the permit, or withdraws the request for it. */
  free(permit: Permit): void {
    const kind = this.of(permit.kind);
    const counts = permit.holder.count(permit.kind);
    if (kind.held.delete(permit)) counts.held -= 1;
    else if (kind.line.delete(permit)) counts.waiting -= 1;
    this.serve(kind);
  }

  isHeld(permit: Permit): boolean {
    return this.of(permit.kind).held.has(permit);
  }

  has(kind: PermitKind): boolean {
    return this.kinds.has(kind);
  }

  private of(kind: PermitKind): Kind {
    return this.kinds.get(kind) as Kind;
  }

  private serve(kind: Kind): void {
    for (const permit of kind.line) {
      if (kind.held.size >= kind.most) break;
      kind.line.delete(permit);
      kind.held.add(permit);
      const counts = permit.holder.count(kind.name);
      counts.waiting -= 1;
      counts.held += 1;
      permit.holder.tell({ type: "permit", permit: permit.number });
    }
    // Many requests come and go in one turn of the event loop.
    if (!kind.isTelling) setImmediate(() => this.tellWanted(kind));
    kind.isTelling = true;
  }

  /** Tells each process how many requests of others wait, and the one with the most sandboxes whether to share. */
  private tellWanted(kind: Kind): void {
    kind.isTelling = false;
    const held = (holder: PermitHolder) => holder.count(kind.name).held;
    const holders = [...this.holders];
    const most = Math.max(0, ...holders.map(held));
    const fewest = Math.min(...holders.filter((each) => each.count(kind.name).waiting > 0).map(held));
    const largest = holders.find((each) => held(each) === most);
    // A permit that passes from a process with one more than the other would soon be wanted back.
    const isUneven = most > 0 && (fewest === 0 || most > fewest + 1);
    for (const holder of holders) {
      const others = kind.line.size - holder.count(kind.name).waiting;
      holder.tellWanted(kind.name, others, isUneven && holder === largest && others > 0);
    }
  }
}

/** The permits and requests of one process. The process counts as untrusted, as its environments do. */
export class PermitHolder {
  private readonly permits = new Map<number, Permit>();
  private readonly counts = new Map<PermitKind, SandboxCount>();
  private readonly told = new Map<PermitKind, string>();

  constructor(
    private readonly gym: GymPermits,
    readonly tell: (news: PermitNews) => void,
  ) {}

  /** @throws {Error} for a request that breaks the protocol */
  ask(kind: PermitKind, number: number): void {
    if (!this.gym.has(kind)) throw new Error(`expected a kind of sandbox, but received ${kind}`);
    if (!Number.isSafeInteger(number) || this.permits.has(number))
      throw new Error(`expected a new number of a permit, but received ${number}`);
    if (this.count(kind).waiting >= mostWaitingPermits)
      throw new Error(`expected at most ${mostWaitingPermits} requests for permits that wait, but received more`);
    const permit = { kind, number, holder: this };
    this.permits.set(number, permit);
    this.gym.add(permit);
  }

  /** @throws {Error} for a permit that the process has not asked for */
  leave(number: number): void {
    const permit = this.permits.get(number);
    if (!permit) throw new Error(`expected the number of a permit, but received ${number}`);
    this.permits.delete(number);
    this.gym.free(permit);
  }

  /** Number of permits and requests of the kind. */
  count(kind: PermitKind): SandboxCount {
    const count = this.counts.get(kind) ?? { held: 0, waiting: 0 };
    this.counts.set(kind, count);
    return count;
  }

  /** Sends the number of requests of other processes that wait, if it has changed. */
  tellWanted(kind: PermitKind, waiting: number, mustShare: boolean): void {
    const news = `${waiting} ${mustShare}`;
    if (news === (this.told.get(kind) ?? "0 false")) return;
    this.told.set(kind, news);
    this.tell({ type: "permits-wanted", kind, waiting, mustShare });
  }

  /** Withdraws the requests of a process that has ended, and frees its permits when its sandboxes have ended too. */
  end(pid: number | undefined): void {
    this.gym.remove(this);
    const left = new Map<PermitKind, Permit[]>();
    for (const permit of this.permits.values()) {
      if (!this.gym.isHeld(permit)) this.gym.free(permit);
      else left.set(permit.kind, [...(left.get(permit.kind) ?? []), permit]);
    }
    this.permits.clear();
    for (const [kind, permits] of left) {
      const free = () => {
        for (const permit of permits) this.gym.free(permit);
      };
      if (pid === undefined) free();
      else void this.gym.untilGone(kind, pid).then(free);
    }
  }
}
