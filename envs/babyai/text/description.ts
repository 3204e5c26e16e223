/** The description of a scene for the agent, with exactly AgentGym's words and spaces. */
import { Kind } from "../engine/codes.js";
import { carriedName, NumberedText } from "./names.js";
import type { Scene } from "./scene.js";
import type { Seen } from "./seen.js";

const thereIs = new NumberedText("There is a ", " ");

export function describe(scene: Scene, { carriedKind, carriedColor }: Seen): string {
  let text = scene.isAnythingSeen
    ? "In front of you in this room, you can see several objects: "
    : "You cannot see any objects within sight.";
  for (let at = 0; at < scene.count; at++) {
    const { name, number, cell } = scene.thing(at);
    text += thereIs.of(name, number) + cell.place;
  }
  text += "The room has walls around you. ";
  if (scene.barrierKind !== 0) {
    text += `You are facing a ${scene.barrierKind === Kind.wall ? "wall" : "box"} ${scene.barrierDistance} steps away. `;
  }
  if (carriedKind === 0) return `${text}You are not carrying anything.`;
  return `${text}You are carrying a ${carriedName(carriedKind, carriedColor)}.`;
}

/**
 * Returns the text after the last description of an episode. The text for a completed task is from AgentGym, the text
 * for a failed task from Palestra.
 */
export function farewell(isCompleted: boolean): string {
  return isCompleted ? "\n The task is completed." : "\n The task has failed.";
}
