/** `palestra train`: from a preset, a file and flags to a training run. */
import { type Command, Option } from "commander";
import { presets } from "../presets.js";
import { loadSettings, settingFields } from "../settings.js";
import { train } from "../train.js";
import { openGym } from "./open-gym.js";
import { onStopping } from "./stopping.js";
import { TrainReport } from "./train-report.js";

export function addTrainCommand(program: Command): void {
  const command = program
    .command("train")
    .description("learn from episodes; without flags a small model, cloned from experts and improved on the CPU")
    .argument("[file]", "settings as YAML")
    .addOption(new Option("--preset <name>", "settings to begin with").choices(Object.keys(presets)).default("cpu"));
  for (const [name, field] of Object.entries(settingFields)) {
    command.addOption(new Option(`--${name} <value>`, field.description ?? ""));
  }
  command.action(runTrain);
}

async function runTrain(file: string | undefined, { preset, ...flags }: Record<string, string>): Promise<void> {
  const settings = await loadSettings({ preset, file, flags });
  const stopping = new AbortController();
  const close = onStopping(() => {
    console.error("palestra: stopping: the last train step is saved; once more ends at once");
    stopping.abort(new Error("the run was stopped"));
  });
  const report = new TrainReport(settings);
  const needs = { expert: settings.clone_episodes > 0 };
  const gym = settings.rollout === "gym" ? await openGym(settings, needs, (line) => report.onStage(line)) : undefined;
  try {
    const result = await train(settings, gym?.client, report, stopping.signal);
    report.onStage(`model ${result.model} after ${result.trainSteps} train steps (${result.end})`);
    if (result.end === "stopped") process.exitCode = 130;
  } catch (error) {
    // Before the first train step there is nothing to save: cloning begins anew.
    if (!stopping.signal.aborted || error !== stopping.signal.reason) throw error;
    report.onStage("stopped before the first train step");
    process.exitCode = 130;
  } finally {
    await report.close();
    await gym?.close();
    close();
  }
}
