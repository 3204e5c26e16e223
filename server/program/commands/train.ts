/** `palestra train`: starts or resumes a training run with the settings of a preset, a file and flags. */
import { type Command, Option } from "commander";
import { onStopping } from "../../../trainer/abort.js";
import { TrainerError } from "../../../trainer/errors.js";
import type { GymPlace } from "../../../trainer/gym/open-gym.js";
import { aboutForeignName, earlierNames } from "../../../trainer/settings/foreign-names.js";
import { defaultPreset, presets } from "../../../trainer/settings/presets.js";
import { wholesFrom } from "../terminal/arguments.js";
import { guide } from "../terminal/command-line.js";
import { runOrigin } from "../training/run-origin.js";
import { basicHeading, settingOptions } from "../training/setting-options.js";

interface Flags extends Readonly<Record<string, unknown>> {
  readonly preset?: string;
  readonly json?: true;
  readonly seeds?: readonly number[];
  readonly summary?: readonly string[];
}

/** Place of the gym, and the folders in which `--summary` looks for runs. */
export type TrainPlace = GymPlace & { readonly runs?: readonly string[] };

export function addTrainCommand(program: Command, place: TrainPlace): void {
  const command = program
    .command("train")
    .description("train a model on episodes; without flags: a small model, cloned from experts and improved on the CPU")
    .argument("[file]", "settings as YAML; they override the preset, and flags override them")
    // Other trainers accept `name=value` arguments; `fileOf` replies to them with the corresponding flag.
    .allowExcessArguments()
    .addOption(presetOption())
    .addOption(
      new Option(
        "--seeds <numbers>",
        "Seeds of several runs, one after another, such as 1,2,3. Each has a folder in the output folder, whose report joins them. The same command continues.",
      )
        .argParser(wholesFrom(0))
        .helpGroup(basicHeading),
    )
    .addOption(
      new Option(
        "--summary <runs...>",
        "Train nothing, and join runs in a report with intervals over seeds: their folders or names.",
      ).helpGroup(basicHeading),
    )
    .addOption(
      new Option(
        "--json",
        "Print the JSON object {output, model, trainSteps, end, evaluations, health} at the end.",
      ).helpGroup(basicHeading),
    )
    .addHelpOption(new Option("-h, --help", "display help for command").helpGroup(basicHeading));
  for (const option of settingOptions()) command.addOption(option);
  for (const name of Object.keys(earlierNames)) command.addOption(new Option(`--${name} <value>`).hideHelp());
  const { outputError } = command.configureOutput();
  command.configureOutput({ outputError: (text, write) => outputError?.(answered(text, command), write) });
  guide(command, "trainer/README.md#train", {
    "palestra train": "Train a small model on this machine, in runs/default",
    "palestra train run.yaml --lr 0.0001 --device cuda:0": "Train with the settings of a file and of flags",
    "palestra train --model Qwen2.5-0.5B --train_tasks textcraft:train --algorithm grpo --json":
      "Train a model of your own, and print the result as JSON",
    "palestra train --seeds 1,2,3 --output runs/seeds": "Train with three seeds, and report intervals over them",
    "palestra train --summary runs/seeds runs/other": "Join runs that have ended in one report",
  });
  command.action((_file, flags: Flags) => runTrain(command, flags, place));
}

function presetOption(): Option {
  const description = `Settings to start from. (choices: ${Object.keys(presets).join(", ")}; default: ${defaultPreset})`;
  const option = new Option("--preset <name>", description).helpGroup(basicHeading);
  return Object.assign(option, { argChoices: Object.keys(presets) });
}

/** Replaces the error for flags of another trainer with the names of the corresponding settings, all at once. */
function answered(text: string, command: Command): string {
  const [, first] = /^error: unknown option '--([^'=]+)/.exec(text) ?? [];
  if (first === undefined) return text;
  const about = unknownNames(command).map((name) => aboutForeignName(name) || `unknown option '--${name}'`);
  if (about.length > 1) return `error: expected settings of palestra, but received:\n  ${about.join("\n  ")}\n`;
  const single = aboutForeignName(first);
  return single ? `error: ${single}` : text;
}

/** Returns the names among the arguments that are no settings: of flags, and of arguments `name=value`. */
function unknownNames(command: Command): string[] {
  const known = new Set(command.options.map(({ long }) => long?.slice(2)));
  const { rawArgs = [] } = (command.parent ?? command) as Command & { rawArgs?: string[] };
  const names = rawArgs.flatMap((arg) => /^--([^=]+)/.exec(arg)?.[1] ?? pairName(arg) ?? []);
  return [...new Set(names)].filter((name) => !known.has(name));
}

/** Returns the name of an argument `name=value`; other trainers allow signs before it. */
function pairName(text: string): string | undefined {
  return /^[+~]*([\w.-]+)=/.exec(text)?.[1];
}

/**
 * Finds the settings file among the arguments.
 *
 * @throws {TrainerError} SETTINGS_INVALID: several files, or an argument `name=value`
 */
function fileOf([file, ...rest]: readonly string[]): string | undefined {
  const pairs = [file, ...rest].filter((text) => text !== undefined && pairName(text) !== undefined);
  if (pairs.length > 0) {
    const about = pairs.map((pair) => aboutForeignName(pairName(pair as string) as string)).filter(Boolean);
    throw new TrainerError(
      "SETTINGS_INVALID",
      [`expected settings as flags, such as --lr 0.0001, but received ${pairs.join(" ")}`, ...about].join(". "),
    );
  }
  if (rest.length === 0) return file;
  throw new TrainerError(
    "SETTINGS_INVALID",
    `expected one file of settings, but received ${[file, ...rest].join(", ")}`,
  );
}

/** Trains, or joins runs. The learner is loaded here, since the other commands of the program do not need it. */
async function runTrain(command: Command, flags: Flags, place: TrainPlace): Promise<void> {
  const { preset, json = false, seeds, summary, ...settingFlags } = flags;
  const origin = runOrigin(command);
  if (summary) {
    const { summarizeRuns } = await import("../training/train-summary.js");
    expectSummaryAlone(command);
    return summarizeRuns(summary, { roots: place.runs ?? [], folder: settingFlags.output as string, json, origin });
  }
  const { loadSettings } = await import("../../../trainer/settings/settings.js");
  const given = settingFlags as Record<string, string>;
  const warn = (line: string) => console.error(`palestra: ${line}`);
  const settings = await loadSettings({ preset, file: fileOf(command.args), flags: given, warn });
  const stopping = new AbortController();
  const close = onStopping(() => {
    console.error("palestra: stopping after saving the last train step; a second signal ends the run at once");
    stopping.abort(new Error("the run was stopped"));
  });
  try {
    const run = { place, json, origin, signal: stopping.signal };
    if (seeds) {
      const { trainSeeds } = await import("../training/train-seeds.js");
      if (given.seed !== undefined) throw seedAndSeeds();
      process.exitCode = await trainSeeds(settings, seeds, run);
    } else {
      const { trainOnce } = await import("../training/train-run.js");
      const { end } = await trainOnce(settings, run);
      if (end === "stopped") process.exitCode = 130;
    }
  } finally {
    close();
  }
}

function seedAndSeeds(): TrainerError {
  return new TrainerError("SETTINGS_INVALID", "expected --seed or --seeds, but received both. Leave out --seed.");
}

/** Refuses settings beside `--summary`. @throws {TrainerError} */
function expectSummaryAlone(command: Command): void {
  const allowed = ["summary", "json", "output"];
  const other = command.options.find(
    (option) =>
      !allowed.includes(option.attributeName()) && command.getOptionValueSource(option.attributeName()) === "cli",
  );
  if (!other && command.args.length === 0) return;
  const received = other?.long ?? command.args.join(" ");
  throw new TrainerError(
    "ARGUMENT_INVALID",
    `expected --summary with no flag but --output and --json, but received ${received}`,
  );
}
