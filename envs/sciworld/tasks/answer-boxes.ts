/** The boxes in which tasks have their questions answered. */
import type { Kind } from "../engine/thing.js";
import { answerBox } from "../facts/containers.js";

export const answerBoxes: readonly Kind[] = ["red", "green", "blue", "orange", "yellow", "purple"].map(answerBox);

/** Two of them, one for each of a question's answers. */
export type BoxPair = readonly [Kind, Kind];

export const boxPairs: readonly BoxPair[] = answerBoxes.slice(1).map((box, at) => [answerBoxes[at] as Kind, box]);
