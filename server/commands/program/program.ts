/** The program `palestra` with all its commands. Each command loads its own modules on demand. */
import { Command, Option } from "commander";
import { version } from "../../version.js";
import { collected } from "../arguments.js";
import { addCheckCommand } from "./check.js";
import { Context } from "./context.js";
import { addEnvsCommand } from "./envs.js";
import { addIndexCommands } from "./index.js";
import { addLogCommands } from "./log.js";
import { addPlayCommand } from "./play.js";
import { addServingCommands } from "./serve.js";
import { addSetupCommand } from "./setup.js";
import { addSynthCommand } from "./synth.js";
import { addTokenCommands } from "./token.js";
import { addTrainerCommands } from "./trainer.js";

const examples = `
Examples:
  palestra serve --port 9000           serve the gym on this machine
  palestra ui                          open the studio: see, play, fork and compare episodes
  palestra play textcraft --task test:3   play an episode by hand
  palestra check --all --json          run the conformance suite
  palestra setup sciworld-jvm          install ScienceWorld's own simulator, for sciworld@jvm
  palestra setup images                build the image of containers
  palestra setup desktop               build the image of desktops, for desktop
  palestra setup browser               find or install Chromium, for environments with web pages
  palestra setup tasks ./my-tasks      add tasks in Harbor's format, for workbench
  palestra train                       train a small model on this machine
  palestra eval --env textcraft --split test --policy random   play a benchmark
  palestra export runs/my-eval --format openai --out chats.jsonl   write episodes as training data
  palestra synth --bundled --out q.jsonl   write search questions with answers and proofs
  palestra token create --name ada     create a token for a user on another machine

Every setting can also be an environment variable (PALESTRA_HOSTS_COUNT=4) or an entry of the --config file
({"hosts": {"count": 4}}). Flags override variables, and variables override the file.`;

/** Creates the program. Its errors are thrown, after `outputError` has received their text. */
export function createProgram(outputError: (text: string) => void): Command {
  const program = new Command("palestra")
    .description("A self-hosted gym for LLM agents: many environments behind one step protocol.")
    .version(version)
    .exitOverride()
    .configureOutput({ outputError });
  addProgramOptions(program);
  program.addHelpText("after", examples);
  const context = new Context(program);
  addServingCommands(program, context);
  addEnvsCommand(program, context);
  addSetupCommand(program, context);
  addCheckCommand(program, context);
  addPlayCommand(program, context);
  addSynthCommand(program);
  addTrainerCommands(program, context);
  addIndexCommands(program);
  addTokenCommands(program, context);
  addLogCommands(program, context);
  return program;
}

function addProgramOptions(program: Command): void {
  program
    .option("--config <file>", "JSON file of settings")
    .addOption(new Option("--data-dir <path>", "directory of the episode log and the tokens"))
    .option("--environment-module <path>", "module with your own environments; may be repeated", collected)
    .option("--tasks <file>", "JSONL file of tasks, each with a prompt, as an environment of your own", collected)
    .option("--tools <file>", "JSON file with a list of tools for those tasks", collected)
    .option(
      "--reward <file>",
      "reward for their answers: a function in JavaScript or Python, or ready-made pieces as JSON",
      collected,
    );
}
