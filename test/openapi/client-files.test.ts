/** The files for trainers in openapi/clients/ are short, and their pages show them unchanged. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/server-process.js";

const folder = join(root, "openapi/clients");
const names = readdirSync(folder);
const textOf = (name: string) => readFileSync(join(folder, name), "utf8");
const pages = names.filter((name) => name.endsWith(".md"));
const files = names.filter((name) => name.endsWith(".py"));

test.each(files)("%s has at most 30 lines of code, and one page shows it unchanged", (file) => {
  const text = textOf(file);
  expect(codeLines(text)).toBeLessThanOrEqual(30);
  const showing = pages.filter((page) => textOf(page).includes(`\`\`\`python\n${text}\`\`\``));
  expect(showing).toHaveLength(1);
  expect(textOf(showing[0] as string)).toContain(`[\`${file}\`](${file})`);
  expect(textOf("README.md")).toContain(`](${showing[0]})`);
  expect(textOf("README.md")).toContain(`\`${file}\``);
});

/** Counts the lines of a Python file without blank lines, comments and docstrings. */
function codeLines(text: string): number {
  return text.split("\n").filter((line) => !/^\s*(#.*|"""[^"]*""")?$/.test(line)).length;
}
