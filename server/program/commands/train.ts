/** `palestra train`: starts or resumes a training run with the settings of a preset, a file and flags. */
import { basename } from "node:path";
import { type Command, Option } from "commander";
import { onStopping } from "../../../trainer/abort.js";
import { TrainerError } from "../../../trainer/errors.js";
import type { GymPlace } from "../../../trainer/gym/open-gym.js";
import { aboutForeignName, earlierNames } from "../../../trainer/settings/foreign-names.js";
import { defaultPreset, presets } from "../../../trainer/settings/presets.js";
import { counted } from "../../formats/counted.js";
import { guide } from "../terminal/command-line.js";
import { basicHeading, settingOptions } from "../training/setting-options.js";

interface Flags extends Readonly<Record<string, unknown>> {
  readonly preset?: string;
  readonly json?: true;
}

export function addTrainCommand(program: Command, place: GymPlace): void {
  const command = program
    .command("train")
    .description("train a model on episodes; without flags: a small model, cloned from experts and improved on the CPU")
    .argument("[file]", "settings as YAML; they override the preset, and flags override them")
    // Other trainers accept `name=value` arguments; `fileOf` replies to them with the corresponding flag.
    .allowExcessArguments()
    .addOption(presetOption())
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
  });
  command.action((_file, flags: Flags) => runTrain(fileOf(command.args), flags, place));
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

/** Trains. The learner is loaded here, since the other commands of the program do not need it. */
async function runTrain(
  file: string | undefined,
  { preset, json, ...settingFlags }: Flags,
  place: GymPlace,
): Promise<void> {
  const [{ loadSettings }, { expectStartable }, { train }, { openGym }, { TrainReport }] = await Promise.all([
    import("../../../trainer/settings/settings.js"),
    import("../../../trainer/start/starting-model.js"),
    import("../../../trainer/train.js"),
    import("../../../trainer/gym/open-gym.js"),
    import("../../../trainer/report/train-report.js"),
  ]);
  const flags = settingFlags as Record<string, string>;
  const settings = await loadSettings({ preset, file, flags, warn: (line) => console.error(`palestra: ${line}`) });
  await expectStartable(settings);
  const stopping = new AbortController();
  const close = onStopping(() => {
    console.error("palestra: stopping after saving the last train step; a second signal ends the run at once");
    stopping.abort(new Error("the run was stopped"));
  });
  const report = new TrainReport(settings);
  const needs = { expert: settings.clone_episodes > 0 };
  const gym =
    settings.rollout === "gym" ? await openGym(settings, place, needs, (line) => report.onStage(line)) : undefined;
  const policy = settings.model === undefined ? undefined : basename(settings.model);
  gym?.client.label?.({ run: basename(settings.output), ...(policy && { policy }) });
  try {
    const result = await train(settings, gym?.client, report, stopping.signal);
    report.onStage(`model ${result.model} after ${counted(result.trainSteps, "train step")} (${result.end})`);
    if (json) console.log(JSON.stringify({ output: settings.output, ...result, health: report.health }));
    if (result.end === "stopped") process.exitCode = 130;
  } catch (error) {
    // Nothing is saved before the first train step, so a resumed run repeats the cloning.
    if (!stopping.signal.aborted || error !== stopping.signal.reason) throw error;
    report.onStage("stopped before the first train step");
    if (json) console.log(JSON.stringify({ output: settings.output, model: null, trainSteps: 0, end: "stopped" }));
    process.exitCode = 130;
  } finally {
    await report.close();
    await gym?.close();
    close();
  }
}
