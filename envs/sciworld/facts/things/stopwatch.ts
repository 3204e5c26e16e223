/** The stopwatch, which counts ticks while it is on. */

import { nameOf } from "../../engine/naming.js";
import type { Kind } from "../../engine/thing.js";
import { called } from "../matter/words.js";
import { off } from "./devices.js";

export const stopwatch: Kind = {
  name: "stopwatch",
  opening: "none",
  device: off,
  words: called("stopwatch", "watch", "timer"),
  live({ device, counters }) {
    const running = device?.isActive ? (counters.get("running") ?? 0) + 1 : 0;
    counters.set("running", running);
    if (device?.isActive) counters.set("shown", running);
  },
  describe(thing, detail) {
    const looks = `a ${nameOf(thing)}, which is ${thing.device?.isActive ? "activated" : "deactivated"}. `;
    return detail === "full" ? `${looks}The time reads ${thing.counters.get("shown") ?? 0} ticks.` : looks;
  },
};
