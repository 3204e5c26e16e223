/** Simplifications of an episode, with the names that ScienceWorld's API uses. */

export const simplifications = [
  "teleportAction",
  "openDoors",
  "openContainers",
  "selfWateringFlowerPots",
  "noElectricalAction",
] as const;

export type Simplification = (typeof simplifications)[number];

/** Returns the simplifications that "easy" stands for. Tasks about wires keep the electrical actions. */
function easyParts(taskName: string): readonly Simplification[] {
  const isAboutWires = ["power-component", "conductivity"].some((part) => taskName.toLowerCase().includes(part));
  const parts: readonly Simplification[] = ["teleportAction", "openDoors", "selfWateringFlowerPots"];
  return isAboutWires ? parts : [...parts, "noElectricalAction"];
}

/**
 * Parses simplifications. @param text "easy", or names separated by commas, in upper or lower case; an empty text for
 * none
 * @throws {Error} a name is unknown
 */
export function parseSimplifications(text: string, taskName: string): ReadonlySet<Simplification> {
  if (text === "easy") return new Set(easyParts(taskName));
  if (text === "") return new Set();
  const named = (label: string): Simplification => {
    const found = simplifications.find((one) => one.toLowerCase() === label.trim().toLowerCase());
    if (found) return found;
    throw new Error(`expected easy, or one of ${simplifications.join(", ")}, but received ${JSON.stringify(label)}`);
  };
  return new Set(text.split(",").map(named));
}
