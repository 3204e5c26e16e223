import { expect, test } from "vitest";
import { Restore } from "#palestra/server/episodes/episode/restore.js";
import type { GymError } from "#palestra/server/errors.js";
import type { OpenRequest } from "#palestra/server/hosts/protocol.js";
import type { Slot, SlotListener } from "#palestra/server/hosts/slot.js";
import type { Log } from "#palestra/server/log/log.js";
import { episodeRow } from "../../support/episode-row.js";

test("a restore is given up after several of its hosts have ended", async () => {
  const opened: OpenRequest[] = [];
  const failures: GymError[] = [];
  const services = {
    log: { call: async () => "{}" } as unknown as Log,
    open(request: OpenRequest, listener: SlotListener) {
      opened.push(request);
      // Later, since a slot exists before its host can end.
      lose.push(() => listener.onLost("unknown"));
      return { close() {} } as Slot;
    },
  };
  const lose: (() => void)[] = [];
  const listener = {
    onRestored: () => expect.unreachable(),
    onFailed: () => expect.unreachable(),
    onRestoreFailed: (error: GymError) => failures.push(error),
  };
  new Restore(episodeRow(1), 0, services, listener).start();
  while (failures.length === 0) {
    lose.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(opened).toHaveLength(3);
  expect(failures).toMatchObject([{ code: "HOST_FAILED" }]);
});
