/**
 * Fuzzes `/v1/socket` with thousands of broken frames, and valid frames with known replies between them. Every frame must
 * be answered under its own id, and every valid frame must get its known reply.
 */
import { WebSocket } from "ws";
import { MersenneTwister } from "#palestra/envs/shared/rng/mersenne-twister.js";
import { GymSocket } from "../support/gym-socket.js";
import { mutated } from "./mutations.js";
import { template } from "./templates.js";

export interface FuzzReport {
  frames: number;
  /** Number of replies by error code. The key `result` counts the replies without an error. */
  replies: Record<string, number>;
  /** Number of valid frames. */
  checked: number;
  /** Number of sockets that the server closed, by close code. */
  closings: Record<number, number>;
  /** Violations, each with its frame. */
  wrong: string[];
}

const batchSize = 100;
/** Average number of frames per valid frame with a known reply. */
const checkedEvery = 7;
/** Average number of batches before frames that end their socket. */
const closingEvery = 4;
const answerMs = 60_000;
const mostVictims = 30;

export async function fuzzFrames(url: string, frames: number, seed: number): Promise<FuzzReport> {
  const fuzzer = new FrameFuzzer(url, new MersenneTwister(seed));
  await fuzzer.open();
  for (let sent = 0; sent < frames; sent += batchSize) {
    await fuzzer.batch(Math.min(batchSize, frames - sent));
    if ((sent / batchSize) % closingEvery === 0) await fuzzer.breakSockets();
  }
  await fuzzer.close();
  return fuzzer.report;
}

class FrameFuzzer {
  readonly report: FuzzReport = { frames: 0, replies: {}, checked: 0, closings: {}, wrong: [] };
  private socket!: WebSocket;
  private helper!: GymSocket;
  private readonly received: string[] = [];
  /** Episodes that broken frames refer to. */
  private victims: string[] = [];
  /** Episode that valid frames refer to, with its state. */
  private checkedId = "";
  private dirt = 0;

  constructor(
    private readonly url: string,
    private readonly random: MersenneTwister,
  ) {}

  async open(): Promise<void> {
    this.helper = await GymSocket.connect(this.url);
    this.socket = await connectRaw(this.url);
    this.socket.on("message", (data) => this.received.push(data.toString()));
    this.socket.on("error", (error) => this.report.wrong.push(String(error)));
    const create = async (index: number) => {
      const params = { environment: "textcraft", task: { index }, maxSteps: 1_000_000 };
      return (await this.helper.request<{ episodeId: string }>("create", params)).episodeId;
    };
    this.victims = await Promise.all([0, 1, 2, 3, 4].map(create));
    this.checkedId = await create(0);
  }

  /** Closes every remaining episode. */
  async close(): Promise<void> {
    this.socket.close();
    for (let before: string | null | undefined; before !== null; ) {
      const params = { limit: 1_000, ...(before && { before }) };
      const page = await this.helper.request<{ episodes: { episodeId: string }[]; next: string | null }>(
        "list",
        params,
      );
      await Promise.all(page.episodes.map(({ episodeId }) => this.helper.request("close", { episodeId })));
      before = page.next;
    }
    this.helper.raw.close();
    await this.helper.closed;
  }

  async batch(size: number): Promise<void> {
    const expected = new Map<string, string>();
    const ids: string[] = [];
    const sent: string[] = [];
    for (let i = 0; i < size; i++) {
      const checked = i % checkedEvery === 0 ? this.checkedFrame() : null;
      const frame = checked?.frame ?? this.brokenFrame();
      sent.push(frame);
      ids.push(idOf(frame));
      if (checked) expected.set(idOf(frame), checked.reply);
      this.socket.send(frame);
      if (this.random.randbelow(50) === 0) {
        ids.push("null");
        this.socket.send(Buffer.from(frame), { binary: true });
      }
    }
    this.report.frames += ids.length;
    await eventuallyWithin(
      answerMs,
      () => this.received.length >= ids.length || this.socket.readyState !== WebSocket.OPEN,
    );
    this.check(this.received.splice(0), ids, expected, sent);
  }

  /** Sends fatal frames: each must close its own socket with the right code, and no other socket. */
  async breakSockets(): Promise<void> {
    const breaking: Record<number, (socket: WebSocket) => void> = {
      1007: (socket) => socket.send(Buffer.from([0x22, 0xc3, 0x28, 0x22]), { binary: false }),
      1009: (socket) => socket.send(`{"id":1,"op":"list","params":{"before":"${"x".repeat(5 * 2 ** 20)}"}}`),
      1002: (socket) => rawSocket(socket).write(Buffer.from([0x83, 0x80, 1, 2, 3, 4])),
      1006: (socket) => socket.terminate(),
    };
    for (const [code, send] of Object.entries(breaking)) {
      const socket = await connectRaw(this.url);
      socket.on("error", () => {});
      const closed = new Promise<number>((resolve) => socket.once("close", resolve));
      send(socket);
      const actual = await closed;
      this.report.frames += 1;
      this.report.closings[actual] = (this.report.closings[actual] ?? 0) + 1;
      if (actual !== Number(code)) this.report.wrong.push(`expected close code ${code}, but received ${actual}`);
    }
  }

  private check(replies: string[], ids: string[], expected: Map<string, string>, sent: string[]): void {
    const answered = replies.map((reply) => this.tally(reply, expected));
    const [missing, surplus] = [difference(ids, answered), difference(answered, ids)];
    if (missing.length + surplus.length === 0) return;
    this.report.wrong.push(
      `unanswered ${missing.join()}, answered unasked ${surplus.join()}, of ${shorten(sent.join("\n"))}`,
    );
  }

  private tally(text: string, expected: Map<string, string>): string {
    const { id, error, result } = JSON.parse(text) as { id: unknown; error?: { code: string }; result?: unknown };
    const name = error?.code ?? (result === undefined ? "neither" : "result");
    this.report.replies[name] = (this.report.replies[name] ?? 0) + 1;
    const right = expected.get(JSON.stringify(id));
    if (right !== undefined) this.report.checked += 1;
    this.adopt(result);
    const bad = right === undefined ? name === "SERVER_FAULT" || name === "neither" : text !== right;
    if (bad) this.report.wrong.push(`expected ${right ?? "no fault"}, but received ${shorten(text)}`);
    return JSON.stringify(id);
  }

  /** Later broken frames refer to the episodes that earlier ones have created. */
  private adopt(result: unknown): void {
    const { episodeId } = (result ?? {}) as { episodeId?: unknown };
    if (typeof episodeId !== "string" || episodeId === this.checkedId) return;
    if (this.victims.length < mostVictims) this.victims.push(episodeId);
    else this.victims[this.random.randbelow(mostVictims)] = episodeId;
  }

  private checkedFrame(): { frame: string; reply: string } {
    const id = `checked-${this.dirt}`;
    const params = { episodeId: this.checkedId, index: this.dirt, action: `get ${this.dirt} dirt` };
    const observation = `Got ${this.dirt} dirt`;
    const result = { index: this.dirt, observation, reward: 0, terminated: false, truncated: false, info: {} };
    this.dirt += 1;
    return { frame: JSON.stringify({ id, op: "step", params }), reply: JSON.stringify({ id, result }) };
  }

  /** Returns a frame. Two in five are well-formed and have wrong parameters only. */
  private brokenFrame(): string {
    const frame = template(this.random, this.victims);
    return this.random.randbelow(5) < 2 ? JSON.stringify(frame) : mutated(frame, this.random);
  }
}

/** Returns the JSON of the id under which a frame has to be answered. */
function idOf(frame: string): string {
  try {
    const { id } = JSON.parse(frame) as { id: unknown };
    const fits = typeof id === "string" ? id.length <= 200 : Number.isSafeInteger(id);
    return fits ? JSON.stringify(id) : "null";
  } catch {
    return "null";
  }
}

/** Returns the entries that `a` has more often than `b`. */
function difference(a: readonly string[], b: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const value of b) left.set(value, (left.get(value) ?? 0) + 1);
  return a.filter((value) => {
    const count = left.get(value) ?? 0;
    left.set(value, count - 1);
    return count <= 0;
  });
}

function connectRaw(url: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/v1/socket`, { perMessageDeflate: false });
  return new Promise((resolve, reject) => socket.once("open", () => resolve(socket)).once("error", reject));
}

function rawSocket(socket: WebSocket): import("node:net").Socket {
  return (socket as unknown as { _socket: import("node:net").Socket })._socket;
}

async function eventuallyWithin(ms: number, reached: () => boolean): Promise<void> {
  const until = performance.now() + ms;
  while (!reached() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 1));
}

function shorten(text: string): string {
  return text.length > 2_000 ? `${text.slice(0, 2_000)}… (${text.length})` : text;
}
