/**
 * Sends the steps and states of one episode to a stream. Steps come from the gym as they are played, while the stream
 * has room, and otherwise from the log. So a slow client costs no memory, and misses nothing.
 */

import type { EpisodeWatcher, NewStep, WatchedState } from "../../../episodes/episode/watchers.js";
import type { Gym } from "../../../episodes/gym.js";
import { GymError } from "../../../errors.js";
import { stepText } from "../../../operations/replies.js";
import { toGymError } from "../../plugins/error-replies.js";
import { type EventStream, errorEvent, eventBytes } from "./event-stream.js";

/** Limits of a page that is read from the log. A step may be longer than the characters of a page. */
const [pageSteps, pageCharacters] = [500, 2 ** 17];

/** Longest reply in characters that is passed on without the log. */
const longestPassed = 2 ** 14;

export class EpisodeFeed implements EpisodeWatcher {
  /** Number of steps in the log. */
  private known = 0;
  private reading = false;
  /** State to send after its steps, or null. */
  private state: WatchedState | null = null;

  /** @param next index of the next step to send */
  private constructor(
    private readonly gym: Gym,
    private readonly stream: EventStream,
    readonly row: WatchedState["row"],
    private next: number,
  ) {}

  /** Starts to send the steps from `from` on, and the state after them. */
  static begin(gym: Gym, stream: EventStream, { state, from }: { state: WatchedState; from: number }): void {
    const feed = new EpisodeFeed(gym, stream, state.row, from);
    stream.whenClosed(gym.watchers.watchEpisode(state.row.id, feed));
    feed.onState(state);
  }

  onStep(step: NewStep): void {
    this.known = step.index + 1;
    const isNext = !this.reading && step.index === this.next;
    if (!isNext || !this.stream.hasRoom || step.reply.length > longestPassed) return void this.catchUp();
    this.next += 1;
    this.stream.send(bytesOf(step));
    this.sendState();
  }

  onState(state: WatchedState): void {
    this.state = state;
    this.known = Math.max(this.known, state.steps);
    void this.catchUp();
  }

  /** The client connects again, and then the gym that has the episode answers. */
  onLeft(): void {
    this.stream.end();
  }

  /** Sends what is in the log, then the newest state. */
  private async catchUp(): Promise<void> {
    if (this.reading) return;
    this.reading = true;
    try {
      await this.stream.room();
      while (this.next < this.known && this.stream.isOpen) {
        await this.sendPage();
        await this.stream.room();
      }
    } catch (error) {
      this.fail(toGymError(error as Error));
    }
    this.reading = false;
    this.sendState();
  }

  /** @throws {GymError} LOG_FAILED */
  private async sendPage(): Promise<void> {
    const steps = await this.gym.reader.readPage(this, this.next, pageSteps, pageCharacters);
    if (steps.length === 0) throw GymError.ofState("LOG_FAILED", `Step ${this.next} is missing in the log.`);
    for (const step of steps) this.stream.send(bytesOf(step));
    this.next += steps.length;
  }

  private sendState(): void {
    const { stream, state } = this;
    if (!state || this.reading || this.next < this.known || !stream.isOpen) return;
    if (!stream.hasRoom) return void this.catchUp();
    this.state = null;
    stream.send(eventBytes("episode", stateText(state, this.next)));
  }

  private fail(error: GymError): void {
    this.stream.send(errorEvent(error));
    this.stream.end();
  }
}

function stateText({ row, phase, live, expertUsed, failure }: WatchedState, index: number): string {
  return JSON.stringify({ episodeId: row.id, phase, index, live, expertUsed, failure });
}

/** The newest step as bytes, which all of its watchers share. */
let newest: { step: NewStep; bytes: Buffer } | undefined;

function bytesOf(step: NewStep): Buffer {
  if (newest?.step !== step) newest = { step, bytes: eventBytes("step", stepText(step), step.index) };
  return newest.bytes;
}
