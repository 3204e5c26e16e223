import type { Permits, WaitBounds } from "../../../sandboxes/permits.js";
import {
  type FromProcess,
  mostWaitingPermits,
  type PermitNews,
  type ProcessSetup,
} from "../process/process-protocol.js";
import { type PermitKind, permitLimits } from "../sandbox-kinds.js";

interface Ask {
  kind: PermitKind;
  grant(): void;
  fail(error: unknown): void;
  /** Timer of the longest wait, which begins when the gym says that it has no free permit. */
  timer?: NodeJS.Timeout | undefined;
  /** Whether the gym has said so. */
  isWaiting: boolean;
  bounds: WaitBounds;
}

/** Callers in other processes that wait for a permit of a kind, as the gym has reported them last. */
interface Elsewhere {
  waiting: number;
  mustShare: boolean;
}

/** The permits of the gym for the sandboxes of this process, which requests them from the gym's process. */
export class RemotePermits {
  private readonly asks = new Map<number, Ask>();
  private readonly elsewhere = new Map<PermitKind, Elsewhere>();
  private readonly listeners = new Map<PermitKind, () => void>();
  private count = 0;

  constructor(
    private readonly sandboxes: ProcessSetup["sandboxes"],
    private readonly tell: (message: FromProcess) => void,
  ) {}

  /** Returns the permits of a kind, for one provider. */
  of(kind: PermitKind): Permits {
    const most = permitLimits(this.sandboxes)[kind];
    const elsewhere = () => this.elsewhere.get(kind);
    const asks = () => [...this.asks.values()].filter((ask) => ask.kind === kind);
    return {
      most,
      get waitingCount() {
        return asks().filter(({ isWaiting }) => isWaiting).length + (elsewhere()?.waiting ?? 0);
      },
      get mustShare() {
        return elsewhere()?.mustShare ?? false;
      },
      take: (bounds) => this.take(kind, bounds),
      failAll: (error) => {
        for (const { fail } of asks()) fail(error);
      },
      onWaiting: (listener) => this.listeners.set(kind, listener),
    };
  }

  onNews(news: PermitNews): void {
    if (news.type === "permits-wanted") {
      const { kind, waiting, mustShare } = news;
      this.elsewhere.set(kind, { waiting, mustShare });
      return this.listeners.get(kind)?.();
    }
    // An answer to a request that has been given up is ignored, since the gym has been told.
    const ask = this.asks.get(news.permit);
    if (!ask) return;
    if (news.type === "permit") return ask.grant();
    ask.isWaiting = true;
    const { waitMs, full } = ask.bounds;
    if (waitMs !== undefined && full) ask.timer = setTimeout(() => ask.fail(full()), waitMs);
    this.listeners.get(ask.kind)?.();
  }

  private async take(kind: PermitKind, bounds: WaitBounds = {}): Promise<() => void> {
    const { signal } = bounds;
    signal?.throwIfAborted();
    if (this.asks.size >= mostWaitingPermits) throw bounds.full?.() ?? new Error("Too many requests wait for permits.");
    this.count += 1;
    const permit = this.count;
    let isOver = false;
    const leave = () => {
      if (!isOver) this.tell({ type: "permit-leave", permit });
      isOver = true;
    };
    const granted = new Promise<void>((resolve, reject) => {
      // The request counts as waiting no longer from the same turn on, as the listeners read that number.
      const drop = () => {
        clearTimeout(ask.timer);
        signal?.removeEventListener("abort", abort);
        this.asks.delete(permit);
      };
      const grant = () => {
        drop();
        resolve();
      };
      const fail = (error: unknown) => {
        drop();
        reject(error);
      };
      const abort = () => fail(signal?.reason);
      const ask: Ask = { kind, grant, fail, isWaiting: false, bounds };
      signal?.addEventListener("abort", abort);
      this.asks.set(permit, ask);
    });
    this.tell({ type: "permit-ask", kind, permit });
    try {
      await granted;
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  }
}
