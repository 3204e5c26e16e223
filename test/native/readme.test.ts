/** The example of native/README.md runs as printed, and learns. */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { needsEngine } from "./tiny-models.js";

needsEngine();

test("the reward rises during the README's example", () => {
  const readme = readFileSync(new URL("../../native/README.md", import.meta.url), "utf8");
  const [, example = ""] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
  const file = fileURLToPath(new URL(`../../native/build/example-${process.pid}.mjs`, import.meta.url));
  writeFileSync(file, example);
  try {
    const output = execFileSync(process.execPath, [file], { encoding: "utf8", timeout: 240_000 });
    const rewards = [...output.matchAll(/reward (\d\.\d+)/g)].map(([, reward]) => Number(reward));
    expect(rewards).toHaveLength(20);
    expect(rewards.at(-1)).toBeGreaterThan((rewards[0] ?? 1) + 0.25);
  } finally {
    rmSync(file);
  }
});
