/** The program `palestra` with all its commands. Each command loads its own modules on demand. */
import { Command } from "commander";
import { type Times, usualTimes } from "../config/times.js";
import { version } from "../version.js";
import { addCheckCommand } from "./commands/check.js";
import { addCompletionCommand } from "./commands/completion.js";
import { addEnvsCommand } from "./commands/envs.js";
import { addFleetCommands } from "./commands/fleet.js";
import { addHelpCommand } from "./commands/help.js";
import { addIndexCommands } from "./commands/index-command.js";
import { addInitCommand } from "./commands/init.js";
import { addLogCommands } from "./commands/log.js";
import { addPlayCommand } from "./commands/play.js";
import { addServingCommands } from "./commands/serve.js";
import { addSetupCommand } from "./commands/setup.js";
import { addSynthCommand } from "./commands/synth.js";
import { addTokenCommands } from "./commands/token.js";
import { Context } from "./context.js";
import { exitCodeLines } from "./exit-codes.js";
import { collected } from "./terminal/arguments.js";
import { guide, shapeHelp } from "./terminal/command-line.js";
import { addTrainerCommands } from "./trainer-commands.js";

const examples = {
  "palestra ui": "Open the studio: see, play, fork and compare episodes",
  "palestra serve --port 9000": "Serve the gym on this machine",
  "palestra play textcraft --task test:3": "Play an episode by hand",
  "palestra eval --env textcraft --split test --policy random": "Play a benchmark",
  "palestra train": "Train a small model on this machine",
  "palestra help token create": "Print the help of a command",
};

const settings = `Every setting can also be an environment variable (PALESTRA_HOSTS_COUNT=4) or an entry of the --config file
({"hosts": {"count": 4}}). Flags override variables, and variables override the file.`;

/**
 * Creates the program. Its errors are thrown, after `outputError` has received their text.
 *
 * @param times times of the gym that the program serves
 */
export function createProgram(outputError: (text: string) => void, times: Times = usualTimes): Command {
  const program = new Command("palestra")
    .description("A self-hosted gym for LLM agents: many environments behind one step protocol.")
    .version(version)
    .exitOverride()
    .configureOutput({ outputError });
  shapeHelp(program);
  addProgramOptions(program);
  program.addHelpText("after", () => `\nExit codes:\n${exitCodeLines()}`);
  guide(program, "server/README.md#commands", examples, settings);
  const context = new Context(program);
  program.commandsGroup("Serve and play:");
  addServingCommands(program, context, times);
  addEnvsCommand(program, context);
  addPlayCommand(program, context);
  addTrainerCommands(program, context);
  program.commandsGroup("Manage a gym:");
  addSetupCommand(program, context);
  addInitCommand(program, context);
  addCheckCommand(program, context);
  addTokenCommands(program, context);
  addLogCommands(program, context);
  addFleetCommands(program, context);
  program.commandsGroup("Data for searches:");
  addIndexCommands(program);
  addSynthCommand(program);
  program.commandsGroup("Command line:");
  addCompletionCommand(program, context);
  addHelpCommand(program, context);
  return program;
}

function addProgramOptions(program: Command): void {
  program
    .optionsGroup("Settings:")
    .option("--config <file>", "JSON file of settings")
    .option("--data-dir <path>", "directory of the episode log and the tokens (default: .palestra)")
    .option(
      "--log <url>",
      "PostgreSQL database of the log, such as postgres://gym@db/gym; a password is safer in the variable PGPASSWORD or PALESTRA_LOG_URL",
    )
    .option("--no-color", "print no colours; so does the variable NO_COLOR, and FORCE_COLOR=1 prints them always")
    .optionsGroup("Environments of your own:")
    .option("--environment-module <path>", "module with your own environments; may be repeated", collected)
    .option(
      "--mount <name=target>",
      "environment that runs elsewhere, such as maze=agentgym:URL; may be repeated",
      collected,
    )
    .option("--tasks <file>", "JSONL file of tasks, each with a prompt, as an environment of your own", collected)
    .option("--tools <file>", "JSON file with a list of tools for those tasks", collected)
    .option(
      "--reward <file>",
      "reward for their answers: a function in JavaScript or Python, or ready-made pieces as JSON",
      collected,
    );
}
