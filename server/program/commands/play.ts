/** The options of `palestra play`. */
import type { Command } from "commander";
import type { Options, TaskRef } from "../../../envs/env.js";
import type { Context } from "../context.js";
import { parseOption, parseTask, wholeFrom } from "../terminal/arguments.js";
import { guide } from "../terminal/command-line.js";

interface PlayFlags {
  task?: TaskRef;
  seed: number;
  option: Options;
  maxSteps?: number;
  picture: boolean;
  json: boolean;
}

export function addPlayCommand(program: Command, context: Context): void {
  const command = program
    .command("play <env>")
    .description("play an episode in the terminal")
    .option("--task <split:index>", "task to play (default: the first of the default split)", parseTask)
    .option("--seed <number>", "seed of the episode", wholeFrom(0), 0)
    .option("--option <name=value>", "option of the environment, see `palestra envs`; may be repeated", parseOption, {})
    .option("--max-steps <number>", "number of steps after which the episode is truncated", wholeFrom(1))
    .option("--picture", "show a picture of every state, if the environment draws pictures", false)
    .option("--json", "print the transcript as JSON at the end", false)
    .action(async (name: string, { option, ...rest }: PlayFlags) => {
      const [{ checkTask, defaultSplit, fillOptions }, { play }] = await Promise.all([
        import("../../../envs/registry.js"),
        import("../handlers/play.js"),
      ]);
      const spec = (await context.registry()).get(name);
      const task = rest.task ?? { split: defaultSplit(spec), index: 0 };
      const options = { ...rest, task: checkTask(spec, task), options: fillOptions(spec, option, task.split) };
      await context.withSandboxes((sandboxes) => play(spec, sandboxes, options));
    });
  guide(command, "README.md#environments", {
    "palestra play textcraft --task test:3": "Play a task by hand",
    "palestra play babyai --task GoToLocal:0 --picture": "Play with a picture of every state",
    "palestra play textcraft --json < actions.txt": "Play the actions of a file, and print the transcript",
  });
}
