/** A failed reset frees its place: the eleventh episode gets one, however the ten before it failed. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/server-process.js";
import { connect, serve } from "../support/serving.js";

const environment = "failing-places";
const places = 2;

test.each(["throws", "hangs", "late", "forgets", "close-throws", "close-hangs"])(
  "after ten failed resets of the kind `%s`, new episodes get all places",
  async (split) => {
    const { url } = await serve({
      pace: 0.1,
      environmentModules: [join(root, `test/fixtures/environments/${environment}.mjs`)],
      env: {
        PALESTRA_SANDBOXES_MACHINES: `${places}`,
        PALESTRA_SANDBOXES_WAIT_MS: "20000",
        PALESTRA_HOSTS_STEP_DEADLINE_MS: "1000",
      },
    });
    const socket = await connect(url);
    const create = (split: string, index: number) =>
      socket.request<{ episodeId: string }>("create", { environment, task: { split, index } });
    const failures: unknown[] = [];
    for (let index = 0; index < 10; index++)
      failures.push(
        await create(split, index).then(
          () => "opened",
          (error: { code?: string }) => error.code ?? error,
        ),
      );
    // A reset may wait for a place until its deadline.
    expect(failures.filter((code) => code !== "ENVIRONMENT_TIMEOUT" && code !== "ENVIRONMENT_THREW")).toEqual([]);
    expect(failures[0]).toBe(["hangs", "late"].includes(split) ? "ENVIRONMENT_TIMEOUT" : "ENVIRONMENT_THREW");
    // The last places are free within the time limit of a close.
    const opened = async () => {
      const all = await Promise.allSettled(Array.from({ length: places }, (_, index) => create("fine", index)));
      const ids = all.flatMap((one) => (one.status === "fulfilled" ? [one.value.episodeId] : []));
      for (const episodeId of ids) await socket.request("close", { episodeId });
      return ids.length;
    };
    await expect.poll(opened, { interval: 500 }).toBe(places);
  },
  120_000,
);
