/** Sends the gym's status, and the ids of changed episodes, to a stream once a second. */
import type { Sample } from "../../../episodes/activity.js";
import type { Gym } from "../../../episodes/gym.js";
import { version } from "../../../version.js";
import { type EventStream, eventBytes } from "./event-stream.js";

/** Largest number of ids in one event. */
const mostIds = 1_000;

export class GymFeed {
  private changed = new Set<string>();
  private more = false;

  private constructor(
    private readonly gym: Gym,
    private readonly stream: EventStream,
    private readonly owner: string,
  ) {}

  /** Returns the listener for episodes that have changed on other gyms of the fleet. `null` stands for further ones. */
  static begin(gym: Gym, stream: EventStream, owner: string): (episodeId: string | null) => void {
    const feed = new GymFeed(gym, stream, owner);
    stream.whenClosed(gym.watchers.watchOwner(owner, (id) => feed.onChange(id)));
    stream.whenClosed(gym.activity.onSample(() => feed.onSample()));
    stream.send(eventBytes("history", historyText(gym)));
    stream.send(eventBytes("status", statusText(gym, owner)));
    return (id) => feed.onChange(id);
  }

  private onChange(episodeId: string | null): void {
    if (episodeId === null) this.more = true;
    else if (this.changed.size < mostIds) this.changed.add(episodeId);
    else this.more ||= !this.changed.has(episodeId);
  }

  private onSample(): void {
    const { gym, stream, owner, changed, more } = this;
    // A client that reads slowly gets the next status instead. The changed episodes wait for it.
    if (!stream.hasRoom) return;
    stream.send(eventBytes("status", statusText(gym, owner)));
    if (changed.size === 0 && !more) return;
    stream.send(eventBytes("episodes", JSON.stringify({ episodeIds: [...changed], more })));
    this.changed = new Set();
    this.more = false;
  }
}

function historyText({ activity }: Gym): string {
  return JSON.stringify({ samples: activity.samples.map(sampleReply) });
}

function statusText(gym: Gym, owner: string): string {
  const { status, capacity, storage, activity } = gym;
  const { hosts, limits, sandboxEpisodes } = capacity;
  const { startedAtMs, steps, created, failures, hostsLost } = activity;
  const { fileBytes, usedBytes, failure } = storage.space;
  const { bytes, maxBytes } = storage.usageOf(owner);
  return JSON.stringify({
    version,
    startedAt: new Date(startedAtMs).toISOString(),
    now: sampleReply(activity.newest),
    episodes: { used: status.liveEpisodes, limit: limits.maxEpisodes },
    sandboxEpisodes,
    stepsInFlight: { used: status.inFlightSteps, limit: limits.maxInFlightSteps },
    hosts: { used: status.readyHosts, limit: hosts },
    hostsLost,
    steps,
    created,
    failures,
    log: {
      fileBytes,
      bytes: { used: usedBytes, limit: storage.limits.maxBytes || null },
      isWritable: status.logHealthy && failure === null,
    },
    disk: storage.diskRoom,
    refusal: status.refusal?.code ?? null,
    caller: { ...gym.useOf(owner), logBytes: { used: bytes, limit: maxBytes } },
  });
}

function sampleReply({ atMs, ...sample }: Sample) {
  return { at: new Date(atMs).toISOString(), ...sample };
}
