import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PNG } from "pngjs";
import { describe, expect, test } from "vitest";
import { terminalPicture } from "#palestra/server/program/terminal/terminal-picture.js";
import { authorModule, lineOf } from "../../../support/author-module.js";
import { fixture } from "../../../support/gym.js";
import { root } from "../../../support/server-process.js";

function start(args: string[], typed: string, environmentModules: string[] = []) {
  const bin = join(root, "dist/server/program/cli.js");
  const modules = environmentModules.flatMap((path) => ["--environment-module", path]);
  return spawnSync(process.execPath, [bin, ...modules, "play", ...args], { input: typed, encoding: "utf8" });
}

function play(args: string[], typed: string, environmentModules?: string[]): string {
  const { status, stdout } = start(args, typed, environmentModules);
  expect(status).toBe(0);
  return stdout;
}

function png(width: number, height: number, colours: number[][]): Buffer {
  const picture = new PNG({ width, height });
  picture.data.set(colours.flatMap((colour) => [...colour, 255]));
  return PNG.sync.write(picture);
}

const red = [255, 0, 0];
const blue = [0, 0, 255];
const block = (upper: number[], lower: number[]) =>
  `\u001b[38;2;${upper.join(";")}m\u001b[48;2;${lower.join(";")}m\u2580`;

describe("a picture in the terminal", () => {
  test("shows two pixels per character, the upper one in the foreground", () => {
    const picture = png(2, 2, [red, blue, blue, blue]);
    expect(terminalPicture(picture, { columns: 80, rows: 24 })).toBe(
      `${block(red, blue)}${block(blue, blue)}\u001b[0m`,
    );
  });

  test("is scaled down to the terminal by area, with its aspect ratio", () => {
    const columns = Array.from({ length: 16 }, () => [red, red, blue, red]).flat();
    const text = terminalPicture(png(4, 16, columns), { columns: 80, rows: 4 });
    const purple = [128, 0, 128];
    expect(text.split("\n")).toEqual(Array(4).fill(`${block(red, red)}${block(purple, purple)}\u001b[0m`));
  });

  test("is shown by :picture for the current state, and by --picture for every state", () => {
    const task = ["babyai", "--task", "GoToLocal:1234"];
    const [before, after] = play(task, ":picture\nturn left\n:picture\n").match(/(.*\u2580.*\n)+/g) as string[];
    expect(before).not.toEqual(after);
    expect(play([...task, "--picture"], "turn left\n").match(/(.*\u2580.*\n)+/g)).toEqual([before, after]);
  });

  test("is refused by an environment without pictures", () => {
    expect(play(["textcraft"], ":picture\n")).toContain("textcraft draws no pictures.\n");
  });

  test("the player types a query by its name, without using up a step", () => {
    const told = play(["sciworld", "--task", "boil:0"], ":inventory\n:possible-actions\n:valid-actions\n");
    expect(told).toContain(":inventory  What the agent carries.\n");
    expect(told).toContain("\nIn your inventory, you see:\n\tan orange\n");
    expect(told).toContain("\nactivate OBJ\nclose OBJ\n");
    expect(told).toMatch(/\n\{"action":"look around","template_id":\d+,"obj_ids":\[\],"type_ids":\[\]\}\n/);
    expect(told).toContain("left after 0 steps");
  });

  test("an unknown command uses up no step and lists the known ones", () => {
    const told = play(["sciworld", "--task", "boil:0"], ":inventroy\n");
    expect(told.match(/:inventory {2}What the agent carries\.\n/g)).toHaveLength(2);
    expect(told).toContain("left after 0 steps");
  });

  test("the name of a property of every JavaScript object is an ordinary action", () => {
    expect(play(["textcraft"], "constructor\n")).toContain("left after 1 step,");
  });
});

describe("an async environment", () => {
  const modules = [fixture("distant")];

  test("is played and queried like a synchronous one", () => {
    const typed = "hello\n:heard\n:expert\n:picture\nend\n";
    const text = play(["distant@elsewhere"], typed, modules);
    for (const line of ["task play:0", "1: hello", "The expert would: end", "terminated after 2 steps, score 1"])
      expect(text).toContain(`${line}\n`);
    expect(text).toContain("The picture is image/svg+xml; a terminal shows image/png.");
  });

  test("with a failing sandbox ends the play and prints a remedy in one line", () => {
    const { status, stderr } = start(["distant@elsewhere"], "lose it 1 LOST\n", modules);
    expect(status).toBe(1);
    expect(stderr).toBe("palestra: expected an engine that runs, but received its end as it. Start it again\n");
  });
});

test("an environment that throws ends the play with its file and line, and without frames of the gym", () => {
  const code = 'if (action === "right")';
  const path = authorModule(code, `action.no.door; ${code}`);
  const { status, stderr } = start(["maze"], "right\n", [path]);
  expect(status).toBe(1);
  const [message, ...frames] = stderr.trimEnd().split("\n");
  expect(message).toContain(
    "palestra: ENVIRONMENT_THREW: expected a step result from the environment, but received Type",
  );
  expect(frames).toEqual([expect.stringMatching(`^ {4}at Object\\.step \\(${path}:${lineOf(code)}:\\d+\\)$`)]);
});

test("the transcript stays one JSON document if the environment prints while it is imported and played", () => {
  const code = "left = task.index + 1;";
  const printing = "console.log('imported');\n\nfunction view(";
  const path = authorModule("function view(", printing);
  writeFileSync(path, readFileSync(path, "utf8").replace(code, `console.log("reset"); ${code}`));
  const { stdout, stderr } = start(["maze", "--json"], "right\n", [path]);
  expect(JSON.parse(stdout)).toMatchObject({ outcome: "terminated" });
  expect(stderr).toMatch(/^imported$[\s\S]*^reset$/m);
});

test.each([
  ["a reward out of the range", "reward: left", "reward: 5, no: left", "a reward from 0 to 1, but received number 5"],
  [
    "an observation that is too long",
    "observation: view(left), reward",
    "observation: 'x'.repeat(17 * 2 ** 20), reward",
    "at most 16,777,216 characters of JSON",
  ],
  ["a list as info", "truncated: false, info: {}", "truncated: false, info: []", "an object as info"],
])("a step with %s is refused, as the gym does", (_, code, faulty, message) => {
  const { status, stderr } = start(["maze"], "left\n", [authorModule(code, faulty)]);
  expect(status).toBe(1);
  expect(stderr).toContain("palestra: ENVIRONMENT_RESULT: expected");
  expect(stderr).toContain(message);
});

test("an environment whose requirement this machine lacks is refused with the remedy", () => {
  const { status, stdout, stderr } = start(["tau2-mock"], "");
  const remedy = "Clone tau2-bench, and set TAU2_DATA_DIR to its folder data before you start the gym.";
  const received = `no tau2: TAU2_DATA_DIR is not set. ${remedy}`;
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(
    `ENVIRONMENT_UNAVAILABLE: expected a machine that meets the requirements of tau2-mock, but received ${received}`,
  );
});
