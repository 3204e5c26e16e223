/** Boxes in which the agent answers the questions of tasks. */
import type { Kind } from "../../engine/thing.js";
import { answerBox } from "../../facts/matter/containers.js";

export const answerBoxes: readonly Kind[] = ["red", "green", "blue", "orange", "yellow", "purple"].map(answerBox);

/** Two boxes, one for each answer to a question. */
export type BoxPair = readonly [Kind, Kind];

export const boxPairs: readonly BoxPair[] = answerBoxes.slice(1).map((box, at) => [answerBoxes[at] as Kind, box]);
