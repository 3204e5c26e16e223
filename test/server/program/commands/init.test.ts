/** `palestra init`: the test follows the README of the new environment, which tests, checks, serves and plays it. */
import { type ExecFileException, execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { scratchDir } from "../../../support/gym.js";
import { root } from "../../../support/server-process.js";
import { serve } from "../../../support/serving.js";

const run = promisify(execFile);
const program = join(root, "dist/server/program/cli.js");

async function init(...args: string[]): Promise<string> {
  return (await run(process.execPath, [program, "init", ...args])).stdout;
}

/** Runs the command, which must refuse its arguments. @returns the message */
async function refusal(...args: string[]): Promise<string> {
  const { code, stderr } = (await init(...args).then(
    () => expect.unreachable(),
    (error) => error,
  )) as ExecFileException & { stderr: string };
  expect(code).toBe(2);
  return stderr.trim();
}

describe("the environment that palestra init writes", () => {
  test("passes its own tests and every check, and can be played by hand", { timeout: 240_000 }, async () => {
    const folder = join(scratchDir(), "treasure-hunt");
    const { files } = JSON.parse(await init("treasure-hunt", "--dir", folder, "--json"));
    expect(files).toEqual(["README.md", "environment.js", "package.json", "test.js"]);
    expect(readdirSync(folder).sort()).toEqual(files);
    for (const name of files) expect(readFileSync(join(folder, name), "utf8")).not.toContain("my-environment");
    const npm = (...args: string[]) => run("npm", args, { cwd: folder });
    await npm("install", "--offline", "--no-audit", "--no-fund");
    expect((await npm("test")).stdout).toMatch(/^. pass 3$[\s\S]*^. fail 0$/m);
    const checked = JSON.parse((await npm("run", "--silent", "check", "--", "--json")).stdout);
    expect(checked).toMatchObject({ failed: 0, skipped: 2 });
    const played = run("npm", ["run", "--silent", "play", "--", "--json"], { cwd: folder });
    played.child.stdin?.end("go north\n");
    expect(JSON.parse((await played).stdout)).toMatchObject({ environment: "treasure-hunt@1", steps: [{}] });
  });

  test("can be served, and a client solves a task over HTTP by the places in the observation", {
    timeout: 120_000,
  }, async () => {
    const folder = join(scratchDir(), "hunt");
    await init("hunt", "--dir", folder);
    const { url } = await serve({ environmentModules: [join(folder, "environment.js")] });
    const call = async (path: string, body: object = {}) => {
      const headers = { "content-type": "application/json" };
      const reply = await fetch(`${url}/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      return (await reply.json()) as { episodeId: string; observation: string; terminated: boolean };
    };
    let state = await call("episodes", { environment: "hunt", task: { split: "test", index: 3 } });
    const { episodeId } = state;
    for (let index = 0; !state.terminated && index < 60; index++) {
      const [column = 0, row = 0, toColumn = 0, toRow = 0] = [...state.observation.matchAll(/\d+/g)].map(Number);
      const direction = column < toColumn ? "east" : column > toColumn ? "west" : row < toRow ? "south" : "north";
      state = await call(`episodes/${episodeId}/step`, { index, action: `go ${direction}` });
    }
    expect(state).toMatchObject({ reward: 1, terminated: true });
  });
});

test("a folder with files is refused unchanged, and an empty folder is filled", { timeout: 60_000 }, async () => {
  const folder = scratchDir();
  expect(await init("maze", "--dir", folder)).toContain("has the environment maze");
  writeFileSync(join(folder, "README.md"), "mine");
  expect(await refusal("maze", "--dir", folder)).toBe(
    `palestra: expected a folder that is new or empty, but received ${folder}, which contains README.md`,
  );
  expect(readFileSync(join(folder, "README.md"), "utf8")).toBe("mine");
  expect(await refusal("maze", "--dir", join(folder, "README.md"))).toContain("but received the file");
});

test.each([
  ["Maze", 'such as treasure-hunt, that starts with a letter, but received "Maze"'],
  ["../maze", "a name of lower-case letters, digits and dashes"],
  ["2048", "that starts with a letter"],
  ["a-", "a name of lower-case letters, digits and dashes"],
  ["textcraft", "expected a name that no environment of the gym has, but received textcraft. Choose another name"],
])("the name %s is refused", { timeout: 60_000 }, async (name, message) => {
  const folder = join(scratchDir(), "new");
  expect(await refusal(name, "--dir", folder)).toContain(message);
  mkdirSync(folder);
});
