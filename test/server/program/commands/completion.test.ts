/** `palestra completion`: each shell runs its script. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, TestRunner, test } from "vitest";
import { scratchDir } from "../../../support/gym.js";
import { root } from "../../../support/server-process.js";

const folder = scratchDir();
writeFileSync(join(folder, "backup.db"), "");

const scriptOf = (shell: string) => join(folder, `palestra.${shell}`);

beforeAll(() => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const args = [join(root, "dist/server/program/cli.js"), "completion", shell];
    writeFileSync(scriptOf(shell), execFileSync(process.execPath, args));
  }
});

/** The words before the cursor, the word at the cursor, and some of the expected completions. */
const cases: [line: string[], offered: string[], notOffered?: string[]][] = [
  [["tok"], ["token"], ["envs"]],
  [["token", ""], ["create", "list"], ["serve"]],
  [["token", "create", "--na"], ["--name"], ["--json"]],
  [
    ["--data-dir", "token", "se"],
    ["serve", "setup"],
  ],
  [["play", "text"], ["textcraft"], ["babyai"]],
  [["play", "textcraft", "--task", ""], ["train:", "test:"], ["GoToLocal:"]],
  [["eval", "--env", "babyai", "--split", "GoToL"], ["GoToLocal"], ["test"]],
  [
    ["eval", "--format", ""],
    ["react", "plain"],
  ],
  [["train", "--train_"], ["--train_tasks"], ["--lr"]],
  [["train", "--algorithm", "gr"], ["grpo"], ["ppo"]],
  [
    ["serve", "--auth", ""],
    ["auto", "required", "off"],
  ],
  [["log", "backup", "back"], ["backup.db"]],
  [
    ["completion", ""],
    ["bash", "zsh", "fish"],
  ],
  [["help", "comp"], ["completion"]],
];

/** A program for the shell that prints the completions of its arguments. */
const drivers: Record<string, string> = {
  bash: `source "$SCRIPT"
COMP_WORDS=(palestra "$@"); COMP_CWORD=$#
_palestra; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // zsh passes completions to its line editor. The script replaces the editor's functions with functions that print.
  zsh: `compadd() { while [[ $1 == -* ]]; do if [[ $1 == -- ]]; then shift; break; fi; if [[ $1 == -S ]]; then shift; fi; shift; done
  for word in "$@"; do if [[ $word == "$prefix"* ]]; then print -r -- "$word"; fi; done; }
_files() { print -rl -- "$prefix"*(N); }
compset() { :; }
source "$SCRIPT" 2>/dev/null
words=(palestra "$@"); CURRENT=$#words; prefix=$words[CURRENT]
_palestra`,
  fish: `source $SCRIPT; complete -C "palestra "(string join " " -- $argv) | string replace -r "\\t.*" ""; true`,
};

function has(shell: string): boolean {
  try {
    execFileSync(shell, ["-c", "exit 0"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Every machine that runs the tests has bash. */
function skipWithout(shell: string): void {
  if (shell !== "bash" && !has(shell)) TestRunner.getCurrentTest()?.context.skip(`no ${shell} on this machine`);
}

function offered(shell: string, words: readonly string[]): string[] {
  const isFish = shell === "fish";
  const args = isFish
    ? ["--no-config", "-c", drivers.fish as string, "--", ...words]
    : ["-c", drivers[shell] as string, shell, ...words];
  const env = { ...process.env, SCRIPT: scriptOf(shell), HOME: folder };
  return execFileSync(shell, args, { cwd: folder, env, encoding: "utf8" }).split("\n");
}

describe.each(["bash", "zsh", "fish"])("%s", (shell) => {
  test.each(cases)("%j", (words, expected, not = []) => {
    skipWithout(shell);
    const found = offered(shell, words);
    expect(found).toEqual(expect.arrayContaining(expected));
    for (const word of not) expect(found).not.toContain(word);
  });
});
