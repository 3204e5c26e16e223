/** Help, examples and exit codes of all commands of `palestra`, the gym's and the trainer's. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { exitCodes } from "#palestra/server/program/exit-codes.js";
import { createProgram } from "#palestra/server/program/program.js";
import { examplesOf } from "#palestra/server/program/terminal/command-line.js";
import { isTrainerCommand, trainerArguments, trainerCommands } from "#palestra/server/program/trainer-commands.js";
import { trainerProgram } from "#palestra/server/program/training/trainer-program.js";
import { root } from "../../support/server-process.js";

const refuse = (text: string) => {
  throw new Error(text);
};

const gym = createProgram(refuse);
const createTrainer = () => trainerProgram({ dataDir: ".palestra", program: { path: "palestra" } });
const trainer = createTrainer();

/** A command with the program that parses it, and its examples. */
interface Entry {
  name: string;
  command: Command;
  examples: Readonly<Record<string, string>>;
}

function entriesOf(command: Command, path: string): Entry[] {
  const inner = command.commands.flatMap((each) => entriesOf(each, `${path} ${each.name()}`));
  return [{ name: path, command, examples: examplesOf(command) }, ...inner];
}

const entries = [
  ...entriesOf(gym, "palestra").filter(({ command }) => !isTrainerCommand(command)),
  ...trainer.commands.flatMap((command) => entriesOf(command, `palestra ${command.name()}`)),
];

/** Splits a command line as a shell does: quotes, and no redirections. */
function wordsOf(line: string): string[] {
  const [command = ""] = line.split(/ [<>] /);
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? (word as string));
}

/** Parses a line with a new program whose commands do nothing. Returns the name of the command that would run. */
async function commandOf(line: string): Promise<string> {
  let reached = "palestra";
  const disarm = (command: Command, path: string) => {
    if (command.commands.length === 0) {
      command.action(() => {
        reached = path;
      });
    }
    for (const each of command.commands) disarm(each, `${path} ${each.name()}`);
  };
  const [, ...words] = wordsOf(line);
  const isOfTrainer = Object.keys(trainerCommands).some((name) => words.includes(name)) && words[0] !== "help";
  const program = isOfTrainer ? createTrainer() : createProgram(refuse);
  disarm(program, "palestra");
  await program.parseAsync(words, { from: "user" });
  return reached;
}

describe.each(entries)("$name", ({ name, command, examples }) => {
  test("has a description that is a phrase, and so has each option", () => {
    expect(command.description()).toMatch(/^\S.*[^.\s]$|^A self-hosted gym .+\.$/);
    for (const { flags, description, hidden } of command.options) {
      if (!hidden) expect(`${flags}  ${description}`).toMatch(/ {2}\S/);
    }
  });

  test("has an example, and all of its examples parse", async () => {
    expect(Object.keys(examples).length).toBeGreaterThan(0);
    for (const [line, effect] of Object.entries(examples)) {
      expect(effect).toMatch(/^[A-Z].*[^.]$/);
      const reached = await commandOf(line);
      expect(name === "palestra" || command.commands.length > 0 || reached === name, line).toBe(true);
    }
  });

  test("names a page that exists", () => {
    let help = "";
    const writeOut = (text: string) => {
      help += text;
    };
    command.configureOutput({ writeOut }).outputHelp();
    const [, path = "", anchor] = /^Page: ([^\s#]+)(?:#(\S+))?$/m.exec(help) ?? [];
    expect(existsSync(join(root, path)), path).toBe(true);
    const headings = readFileSync(join(root, path), "utf8").matchAll(/^#+ (.+)$/gm);
    const anchors = [...headings].map(([, text = ""]) =>
      text
        .toLowerCase()
        .replace(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    );
    if (anchor !== undefined) expect(anchors).toContain(anchor);
  });
});

test("the gym's program lists every command of the trainer", () => {
  expect(trainer.commands.map((command) => command.name()).sort()).toEqual(Object.keys(trainerCommands).sort());
});

test("the help states ranges, choices and defaults once", () => {
  const serve = gym.commands.find((command) => command.name() === "serve") as Command;
  const help = serve.helpInformation().replace(/\s+/g, " ");
  expect(help).toContain("0 takes a free one (0 to 65535; default: 8700)");
  expect(help).toContain("(choices: auto, required, off; default: auto)");
});

test("the README lists the exit codes of the program", () => {
  const readme = readFileSync(join(root, "server/README.md"), "utf8");
  for (const [code, meaning] of Object.entries(exitCodes)) {
    expect(readme).toContain(`| ${code} | ${meaning.replaceAll("|", "\\|")} |`);
  }
});

test.each([
  [
    ["--data-dir", "eval", "eval", "--k", "2"],
    ["eval", "--k", "2"],
  ],
  [
    ["eval", "--data-dir", "x", "--no-color", "--tasks", "0-9"],
    ["eval", "--tasks", "0-9"],
  ],
  [
    ["--no-color", "export", "--data-dir=x", "runs", "--", "--data-dir"],
    ["export", "runs", "--", "--data-dir"],
  ],
])("the trainer gets its own arguments from %j", (args, expected) => {
  expect(trainerArguments(gym, args)).toEqual(expected);
});
