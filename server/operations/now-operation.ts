/** `GET /v1/now`: who plays what, and what failed. It reads memory only, so a page may ask every few seconds. */
import type { z } from "zod";
import type { Gym } from "../episodes/gym.js";
import type { Play } from "../episodes/playing.js";
import { operation } from "./operation.js";
import { Now } from "./schemas/now.js";

const [mostPlays, mostFailures] = [100, 20];

export const nowOperation = {
  now: operation({
    method: "GET",
    url: "/v1/now",
    summary:
      "Tells who plays what at this gym and what failed last: for a token its own episodes, for callers without one all.",
    reply: Now,
    errors: [],
    async run({ gym, caller: { owner } }) {
      return JSON.stringify(nowOf(gym, owner) satisfies z.input<typeof Now>);
    },
  }),
};

function nowOf(gym: Gym, owner: string): z.input<typeof Now> {
  const seesAll = gym.holderOf(owner).kind === "local";
  const { plays, pictured } = gym.playing.snapshot();
  const seen = seesAll ? plays : plays.filter((play: Play) => play.owner === owner);
  const playerOf = (of: string) => {
    const { kind, name } = gym.holderOf(of);
    return { kind: kind === "local" ? ("local" as const) : ("token" as const), name };
  };
  return {
    at: new Date().toISOString(),
    plays: seen.slice(0, mostPlays).map(({ owner: of, ...play }) => ({ player: playerOf(of), ...play })),
    more: seen.length > mostPlays,
    failures: gym.playing
      .failures(seesAll ? null : owner, mostFailures)
      .map(({ atMs, owner: of, environment, episodeId, failureClass, code, message }) => ({
        at: new Date(atMs).toISOString(),
        player: playerOf(of),
        environment,
        class: failureClass,
        code,
        atReset: episodeId === null,
        // Episodes of other callers, and what happens in them, are nobody else's concern.
        ...(of === owner ? { episodeId, message } : { episodeId: null, message: null }),
      })),
    pictured: (pictured.get(owner) ?? []).map(({ id, environment, index }) => ({ episodeId: id, environment, index })),
  };
}
