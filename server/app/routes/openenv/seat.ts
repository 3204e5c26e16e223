/** The session of one WebSocket. In a fleet, its frames go to the gym that has the session's episode. */
import type { Sessions } from "../../../adapter/sessions.js";
import type { Caller } from "../../../episodes/gym.js";
import { textOf } from "../../../fleet/peers.js";
import type { Relay } from "../../../fleet/relay.js";
import { keyOf } from "../../../log/records/episode-id.js";
import type { FleetMember } from "../../../log/records/protocol.js";
import { type FrameParts, frameReply, mayRepeat, type OpenenvFrame, type SeatFrame } from "./frames.js";

export interface SeatParts {
  relay: Relay | null;
  sessions: Sessions;
  caller: Caller;
  /** Name of the environment in paths. */
  environment: string;
  /** Returns what a frame of a session needs on this gym. */
  partsOf(session: number): FrameParts;
}

/** Name of the route for frames from other gyms, after the name of the environment. */
export const framePath = "frame";

export class Seat {
  /** Key by which the gym that plays the session was found last. */
  private place: number;
  /** Episode of the last reset, which is not known in a session that `/mcp` created. */
  private episodeId: string | null = null;
  private readonly isGone = new AbortController();
  private inFlight = 0;
  private lastMs = performance.now();

  /** @param isOwn whether the session belongs to the socket alone */
  constructor(
    private readonly parts: SeatParts,
    private session: number,
    private readonly isOwn: boolean,
  ) {
    this.place = session;
  }

  get id(): number {
    return this.session;
  }

  /** Answers a frame with the text of another. @throws {GymError} EPISODE_ELSEWHERE */
  async ask(frame: OpenenvFrame): Promise<string> {
    this.inFlight += 1;
    try {
      return await this.answer(frame);
    } finally {
      this.inFlight -= 1;
      this.lastMs = performance.now();
      if (this.isGone.signal.aborted) this.leaveWhenIdle();
    }
  }

  /** The client has gone. Its episode goes on until its lease lapses, or another one needs its place. */
  leave(): void {
    this.isGone.abort();
    this.leaveWhenIdle();
  }

  private leaveWhenIdle(): void {
    if (this.inFlight > 0) return;
    const { relay, sessions } = this.parts;
    const { lastMs } = this;
    const isEmpty = this.isOwn && this.episodeId === null;
    const left = relay && !isEmpty ? this.send(relay, { type: "leave", idleMs: performance.now() - lastMs }) : null;
    if (!left) sessions.leave(this.session, lastMs);
    // A gym that has ended meanwhile holds no place.
    const forget = () => this.isOwn && sessions.forget(this.session);
    void (left ?? Promise.resolve()).then(forget, forget);
  }

  private async answer(frame: OpenenvFrame): Promise<string> {
    const { relay } = this.parts;
    if (!relay) return frameReply(frame, this.parts.partsOf(this.session));
    if (frame.type !== "reset") return this.send(relay, frame);
    const asked = frame.data.episode_id ?? null;
    if (this.isOwn && asked !== null && asked !== this.episodeId) return this.takeUp(relay, frame, asked);
    return this.noted(await this.send(relay, frame));
  }

  /** Takes up an episode that may be on another gym, in a new session. The old session is closed after that. */
  private async takeUp(relay: Relay, frame: OpenenvFrame, asked: string): Promise<string> {
    const { parts, isOwn, episodeId } = this;
    const fresh = await parts.sessions.openEmpty(parts.caller.owner, keyOf(asked) ?? undefined);
    const next = new Seat(parts, fresh, isOwn);
    const reply = next.noted(await next.send(relay, frame));
    if (next.episodeId === null) return reply;
    if (episodeId !== null && episodeId !== next.episodeId) await this.send(relay, { type: "close" });
    parts.sessions.forget(this.session);
    this.session = next.session;
    this.place = next.place;
    this.episodeId = next.episodeId;
    return reply;
  }

  private send(relay: Relay, frame: SeatFrame): Promise<string> {
    return relay.run({
      key: this.place,
      mayRepeat: mayRepeat(frame),
      here: (key) => this.played(key, frameReply(frame, this.parts.partsOf(this.session))),
      there: (gym, key) => this.played(key, this.sendTo(relay, gym, key, frame)),
    });
  }

  private async played(key: number | null, reply: Promise<string>): Promise<string> {
    const text = await reply;
    this.place = key ?? this.place;
    return text;
  }

  private async sendTo(relay: Relay, gym: FleetMember, key: number, frame: SeatFrame): Promise<string> {
    const { caller, environment, sessions } = this.parts;
    await sessions.publish(this.session);
    const reply = await relay.send(
      gym,
      { caller, key },
      {
        method: "POST",
        path: `/openenv/${encodeURIComponent(environment)}/${framePath}`,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ session: this.session, frame }),
        // The other gym then opens no episode. What it has begun otherwise goes on.
        ...(frame.type === "reset" && { signal: this.isGone.signal }),
      },
    );
    return textOf(reply);
  }

  private noted(reply: string): string {
    const { data } = JSON.parse(reply) as { data: { metadata?: { episode_id: string } } };
    this.episodeId = data.metadata?.episode_id ?? this.episodeId;
    return reply;
  }
}
