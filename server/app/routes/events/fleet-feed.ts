/** Tells the stream of one gym which episodes have changed on the other gyms of the fleet. */
import type { Caller } from "../../../episodes/gym.js";
import type { Relay } from "../../../fleet/relay.js";
import type { FleetMember } from "../../../log/records/protocol.js";
import type { EventStream } from "./event-stream.js";
import { follow } from "./remote-events.js";

/** Milliseconds between looks at the members of the fleet, which is also the pause after a gym was lost. */
const lookMs = 1_000;

export interface FleetFeedParts {
  relay: Relay;
  caller: Caller;
  stream: EventStream;
  /** @param episodeId null for further episodes, whose ids the other gym has left out */
  onChange(episodeId: string | null): void;
}

export class FleetFeed {
  private readonly followed = new Set<number>();
  private readonly ended = new AbortController();

  private constructor(private readonly parts: FleetFeedParts) {}

  static begin(parts: FleetFeedParts): void {
    const feed = new FleetFeed(parts);
    feed.look();
    const timer = setInterval(() => feed.look(), lookMs).unref();
    parts.stream.whenClosed(() => {
      clearInterval(timer);
      feed.ended.abort();
    });
  }

  private look(): void {
    for (const gym of this.parts.relay.others) {
      if (this.followed.has(gym.incarnation)) continue;
      this.followed.add(gym.incarnation);
      this.follow(gym)
        .catch(() => {})
        .finally(() => this.followed.delete(gym.incarnation));
    }
  }

  private async follow(gym: FleetMember): Promise<void> {
    const { relay, caller, onChange } = this.parts;
    const { signal } = this.ended;
    for await (const { name, data } of await follow(relay, gym, { caller, key: 0, path: "/v1/events", signal })) {
      if (name !== "episodes") continue;
      const { episodeIds, more } = JSON.parse(data) as { episodeIds: string[]; more: boolean };
      for (const id of episodeIds) onChange(id);
      if (more) onChange(null);
    }
  }
}
