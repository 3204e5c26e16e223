/** A module with a small environment, like one by an author outside the repository. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratchDir } from "./gym.js";

const source = `function view(left) {
  return \`You are \${left} steps away.\`;
}

export default {
  id: "maze",
  version: 1,
  summary: "Walk to the exit.",
  splits: { train: { size: 4, summary: "All mazes by length.", title: (index) => \`maze \${index}\` } },
  maxSteps: 20,
  rewardRange: [0, 1],
  prompt: "Say left or right.",
  requirements: [],
  restore: "replay",
  create() {
    let left = 0;
    return {
      reset({ task }) {
        left = task.index + 1;
        return { observation: view(left), info: {} };
      },
      step(action) {
        if (action === "right") left -= 1;
        return { observation: view(left), reward: left === 0 ? 1 : 0, terminated: left === 0, truncated: false, info: {} };
      },
      close() {},
    };
  },
  expert: () => "right",
};
`;

/** Line of the module that contains a text, from 1. */
export function lineOf(text: string): number {
  return source.slice(0, source.indexOf(text)).split("\n").length;
}

/** Writes the module, with one text replaced by another, and returns its path. @throws {Error} the text is not in it */
export function authorModule(text = "", replacement = "", name = "maze.mjs"): string {
  if (!source.includes(text)) throw new Error(`expected a part of the module, but received ${text}`);
  const path = join(scratchDir(), name);
  writeFileSync(
    path,
    source.replace(text, () => replacement),
  );
  return path;
}
