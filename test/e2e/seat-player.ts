/** The player of one seat, as a program of its own would be: it knows the seat's URL, and repeats calls without a reply. */
import { setTimeout as sleep } from "node:timers/promises";

export interface SeatView {
  turn: string | null;
  index: number;
  observation: string | null;
  return: number;
  terminated: boolean;
}

export interface SeatPlayerOptions {
  /** Returns the URL of the gym for the next call. */
  gym(): string;
  episodeId: string;
  seat: string;
  /** Returns the action of the seat's n-th turn, from 0. */
  actionAt(turn: number): string;
  /** Called before the n-th step is sent, and after that. */
  onStep?(turn: number): Promise<void> | undefined;
  onSent?(turn: number): void;
}

/** Replies after which a client of the gym repeats its call: no reply, and the class `infrastructure`. */
const retryable = [0, 503];

const waitMs = 30_000;

export class SeatPlayer {
  /** Observations of the seat's turns, and of the end. */
  readonly read: string[] = [];
  /** Statuses and codes of the calls that were repeated. Status 0: there was no reply. */
  readonly repeated: { status: number; code?: string }[] = [];
  private turns = 0;

  constructor(private readonly options: SeatPlayerOptions) {}

  /** Plays to the end of the episode. @returns the last view */
  async play(): Promise<SeatView> {
    const { seat } = this.options;
    let view = await this.wait();
    while (view.turn !== null) view = view.turn === seat ? await this.act(view) : await this.wait();
    this.read.push(view.observation as string);
    return view;
  }

  /** Waits for the seat's turn. */
  wait(): Promise<SeatView> {
    return this.survive(`?waitMs=${waitMs}`);
  }

  private async act({ index, observation }: SeatView): Promise<SeatView> {
    const { actionAt, onStep, onSent } = this.options;
    const turn = this.turns++;
    this.read.push(observation as string);
    await onStep?.(turn);
    const answered = this.survive("/step", { index, action: actionAt(turn), waitMs });
    onSent?.(turn);
    return answered;
  }

  private async survive(path: string, body?: object): Promise<SeatView> {
    for (;;) {
      const { status, reply } = await this.send(path, body);
      if (status === 200) return reply as SeatView;
      const { code, message } = (reply as { error?: { code: string; message: string } }).error ?? {};
      if (!retryable.includes(status)) throw new Error(`expected status 200, but received ${status}: ${message}`);
      this.repeated.push({ status, ...(code !== undefined && { code }) });
      await sleep(50);
    }
  }

  private async send(path: string, body?: object): Promise<{ status: number; reply: object }> {
    const { gym, episodeId, seat } = this.options;
    const url = `${gym()}/v1/episodes/${episodeId}/seats/${seat}${path}`;
    const headers = { "content-type": "application/json" };
    const request = body && { method: "POST", body: JSON.stringify(body), headers };
    try {
      const reply = await fetch(url, request);
      return { status: reply.status, reply: (await reply.json()) as object };
    } catch {
      return { status: 0, reply: {} };
    }
  }
}
