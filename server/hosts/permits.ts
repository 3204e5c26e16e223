/**
 * The permits of a gym for its sandboxes. The processes of async environments share them, so that the limits of the settings
 * hold for the whole gym.
 */
import { type PermitKind, permitLimits, type SandboxKind, sandboxKinds } from "../sandboxes.js";
import type { PermitNews, ProcessSetup } from "./process/process-protocol.js";

/** Number of requests and permits of one process from which on the process is taken to be broken. */
const mostOfProcess = 100_000;

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
  line: Permit[];
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
      this.kinds.set(name, { name, most, held: new Set(), line: [], isTelling: false });
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
      return { held: held.size, waiting: line.length };
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
    kind.line.push(permit);
    this.serve(kind);
    if (!kind.held.has(permit)) permit.holder.tell({ type: "permit-waits", permit: permit.number });
  }

  /** Frees the permit, or withdraws the request for it. */
  free(permit: Permit): void {
    const kind = this.of(permit.kind);
    if (!kind.held.delete(permit)) kind.line = kind.line.filter((each) => each !== permit);
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
    while (kind.held.size < kind.most) {
      const permit = kind.line.shift();
      if (!permit) break;
      kind.held.add(permit);
      permit.holder.tell({ type: "permit", permit: permit.number });
    }
    // Many requests come and go in one turn of the event loop.
    if (!kind.isTelling) setImmediate(() => this.tellWanted(kind));
    kind.isTelling = true;
  }

  /** Tells each process how many requests of others wait. */
  private tellWanted(kind: Kind): void {
    kind.isTelling = false;
    const [first] = kind.line;
    const held = countsOf(kind.held);
    const waiting = countsOf(kind.line);
    const heldBy = (holder: PermitHolder) => held.get(holder) ?? 0;
    const largest = [...this.holders].reduce(
      (best: PermitHolder | null, each) => (best && heldBy(best) >= heldBy(each) ? best : each),
      null,
    );
    for (const holder of this.holders) {
      const others = kind.line.length - (waiting.get(holder) ?? 0);
      // A permit that passes from a process with one more than the other would soon be wanted back.
      const isRich = first && (heldBy(first.holder) === 0 || heldBy(holder) > heldBy(first.holder) + 1);
      const mustShare = holder === largest && others > 0 && Boolean(isRich);
      holder.tellWanted(kind.name, others, mustShare);
    }
  }
}

/** The permits and requests of one process. The process counts as untrusted, as its environments do. */
export class PermitHolder {
  private readonly permits = new Map<number, Permit>();
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
    if (this.permits.size >= mostOfProcess) throw new Error(`expected at most ${mostOfProcess} requests for permits`);
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

  /** Whether the process has a sandbox of the kind. */
  holds(kind: PermitKind): boolean {
    return [...this.permits.values()].some((permit) => permit.kind === kind && this.gym.isHeld(permit));
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

function countsOf(permits: Iterable<Permit>): Map<PermitHolder, number> {
  const counts = new Map<PermitHolder, number>();
  for (const { holder } of permits) counts.set(holder, (counts.get(holder) ?? 0) + 1);
  return counts;
}
