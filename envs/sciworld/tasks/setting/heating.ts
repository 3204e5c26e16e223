/** Goals for the steps of heating the thing in focus, which several tasks use. */
import * as focus from "../../goals/focus.js";
import type { Goal } from "../../goals/goal.js";
import * as around from "../../goals/surroundings.js";

const heaters = ["stove", "blast furnace", "oven", "hot plate"];

/**
 * Returns the goals. @param what word for the thing in their descriptions @param after keys of goals that must be met
 * before the thing is on a heater
 */
export function heating(what: string, after: readonly string[] = []): Goal[] {
  return [
    ...heaters.map((name) => around.activated(name, `activate heater (${name})`)),
    around.containing("inventory", ["lighter"], "have lighter in inventory"),
    around.containing("fire pit", ["wood"], "move wood into fire pit", { key: "wood1" }),
    around.onFire("wood", "ignite wood", { key: "ignite", after: ["wood1"] }),
    ...[...heaters, "fire pit"].map((name) => focus.keptIn(name, `have ${what} on heater (${name})`, [], { after })),
  ];
}
