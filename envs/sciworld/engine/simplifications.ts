/** What makes an episode easier, by the names of the original's API. */

export const simplifications = [
  "teleportAction",
  "openDoors",
  "openContainers",
  "selfWateringFlowerPots",
  "noElectricalAction",
] as const;

export type Simplification = (typeof simplifications)[number];

/** All that "easy" stands for; wires stay where a task is about them. */
function easyParts(taskName: string): readonly Simplification[] {
  const isAboutWires = ["power-component", "conductivity"].some((part) => taskName.toLowerCase().includes(part));
  const parts: readonly Simplification[] = ["teleportAction", "openDoors", "selfWateringFlowerPots"];
  return isAboutWires ? parts : [...parts, "noElectricalAction"];
}

/**
 * @param text "easy", or names in any case, separated by commas; none if it is empty
 * @throws {Error} one of them is unknown
 */
export function parseSimplifications(text: string, taskName: string): ReadonlySet<Simplification> {
  if (text === "easy") return new Set(easyParts(taskName));
  if (text === "") return new Set();
  const named = (label: string): Simplification => {
    const found = simplifications.find((one) => one.toLowerCase() === label.trim().toLowerCase());
    if (found) return found;
    throw new Error(`expected easy, or any of ${simplifications.join(", ")}, but received ${JSON.stringify(label)}`);
  };
  return new Set(text.split(",").map(named));
}
