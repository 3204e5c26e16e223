/** Episodes that pages of environments show. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Environment } from "#palestra/envs/env.js";
import { root } from "./tracked-files.js";

/**
 * Plays the episode that a page shows after the words "An episode of the task", with the actions after `> `, and checks that the
 * observations have each line. A line `...` stands for lines that the page leaves out.
 *
 * @param reset starts the episode, and returns its first observation
 */
export function expectPageEpisode(page: string, reset: () => { environment: Environment; observation: string }): void {
  const text = readFileSync(join(root, page), "utf8");
  const [, shown = ""] = /An episode of the task [^\n]*\n\n```\n([\s\S]*?)```/.exec(text) ?? [];
  const { environment, observation } = reset();
  const turns = shown.split("> ").map((turn, at) => (at === 0 ? `\n${turn}` : turn));
  expect(turns.length).toBeGreaterThan(1);
  for (const turn of turns) {
    const [action = "", ...lines] = turn.split("\n");
    const seen = action === "" ? observation : environment.step(action).observation;
    for (const line of lines.filter((each) => each !== "" && each !== "...")) expect(seen.split("\n")).toContain(line);
  }
}
