/** The program's output in pipes and files: errors as JSON, colours, and failures of standard output. */
import { execFile } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { usageText } from "#palestra/server/program/terminal/command-line.js";
import { scratchDir } from "../../../support/gym.js";
import { palestra } from "../../../support/palestra.js";
import { root } from "../../../support/server-process.js";

const program = join(root, "dist/server/program/cli.js");

function shell(
  command: string,
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const options = { env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, ...env } };
  const text = command.replaceAll("palestra", `'${process.execPath}' '${program}'`);
  return new Promise((resolve) => {
    execFile("bash", ["-c", text], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

describe("with --json, an error is one object on standard output", () => {
  test.each([
    [["token", "list", "--josn", "--json"], 2, "ARGUMENT_INVALID", /unknown option '--josn'/],
    [["play", "textcrft", "--json"], 2, "NAME_UNKNOWN", /Did you mean textcraft\?/],
    [["log", "verify", "--json"], 1, "OPERATION_FAILED", /expected an intact episode log/],
    [["--config", "/nowhere", "envs", "--json"], 2, "SETTINGS_INVALID", /expected a JSON object in \/nowhere/],
    [["export", "runs", "--format", "openai", "--json"], 2, "ARGUMENT_INVALID", /expected --out FILE/],
    [["eval", "--env", "textcraft", "--policy", "rndom", "--json"], 2, "POLICY_INVALID", /Did you mean random\?/],
  ])("%j", async (args, code, error, message) => {
    const outcome = await palestra(["--data-dir", scratchDir(), ...args]);
    expect(outcome.code).toBe(code);
    expect(JSON.parse(outcome.stdout)).toEqual({ error: { code: error, message: expect.stringMatching(message) } });
    expect(outcome.stderr).toMatch(/^palestra: /);
  });
});

test("a closed pipe ends the program without a stack trace", async () => {
  const { stdout, stderr } = await shell("palestra --help | head -1; echo $PIPESTATUS");
  expect(stdout).toMatch(/^Usage: palestra .+\n(141|0)\n$/);
  expect(stderr).toBe("");
  const closed = await shell("palestra --help >&-; echo $?");
  expect(closed.stderr).not.toContain("    at ");
});

test("a full disk under standard output is reported in one line", async (context) => {
  try {
    closeSync(openSync("/dev/full", "w"));
  } catch {
    context.skip("expected the device /dev/full");
  }
  const { code, stderr } = await shell("palestra --help > /dev/full");
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^palestra: expected to write to .+ ENOSPC: [^\n]+\n$/)]);
});

test("colours follow FORCE_COLOR, NO_COLOR and --no-color, and a pipe has none", async () => {
  const colour = "\u001b[";
  expect((await shell("palestra token list --help")).stdout).not.toContain(colour);
  expect((await shell("palestra token list --help", { FORCE_COLOR: "1" })).stdout).toContain(colour);
  expect((await shell("palestra token list --help", { FORCE_COLOR: "1", NO_COLOR: "1" })).stdout).not.toContain(colour);
  expect((await shell("palestra --no-color token list --help", { FORCE_COLOR: "1" })).stdout).not.toContain(colour);
  expect((await shell("palestra --no-color export --help", { FORCE_COLOR: "1" })).stdout).not.toContain(colour);
});

test("`help X`, `X --help` and `X -h` print the same, for commands of the gym and of the trainer", async () => {
  for (const name of ["serve", "export"]) {
    const calls = [
      ["help", name],
      [name, "--help"],
      [name, "-h"],
    ];
    const [first, ...others] = await Promise.all(calls.map((args) => palestra(args)));
    expect(first).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringMatching(/^Usage: palestra .+Examples:/s),
    });
    for (const other of others) expect(other).toEqual(first);
  }
});

test("a misspelt required option is named", () => {
  const text = "error: required option '--policy <policy>' not specified\n";
  expect(usageText(text, ["eval", "--polcy=random"])).toMatch(/received --polcy \(Did you mean --policy\?\)/);
  expect(usageText(text, ["eval", "--env", "x"])).toBe(
    "required option '--policy <policy>' not specified (--help lists the options)",
  );
});
