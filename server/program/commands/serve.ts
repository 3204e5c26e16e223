/** The options of `palestra serve` and `palestra ui`. */
import type { Command } from "commander";
import type { Config } from "../../config/config.js";
import { highestPort, mostHosts } from "../../config/setting-ranges.js";
import type { Times } from "../../config/times.js";
import type { Context } from "../context.js";
import { choiceOption, collected, parseEnvironmentPort, wholeFrom } from "../terminal/arguments.js";
import { guide, outliveOutput } from "../terminal/command-line.js";

type ServeFlags = Record<
  "host" | "port" | "auth" | "hosts" | "logLevel" | "fleetAddress",
  string | number | undefined
> & {
  runs?: string[];
  nemo?: Record<string, number>;
};

export function addServingCommands(program: Command, context: Context, times: Times): void {
  const configOf = ({ hosts, nemo: nemoGym, fleetAddress: address, ...flags }: ServeFlags): Promise<Config> =>
    context.config({ ...flags, nemoGym, hosts: { count: hosts }, fleet: { address } });

  const serving = servingCommand(program, "serve", "serve the gym over HTTP and WebSocket until SIGTERM").action(
    async (flags: ServeFlags) => {
      const config = await configOf(flags);
      outliveOutput();
      const { serve } = await import("../serve.js");
      await serve(config, times);
    },
  );
  guide(serving, "server/README.md#run-a-gym", {
    "palestra serve": "Serve on http://127.0.0.1:8700",
    "palestra serve --host 0.0.0.0 --port 9000": "Serve to other machines; their users need tokens",
    "palestra --log postgres://gym@db/gym serve --fleet-address http://10.0.0.3:8700 --host 10.0.0.3":
      "Serve as one gym of a fleet, whose gyms share a database",
    "palestra --tasks math.jsonl --reward reward.py serve": "Serve your own tasks as an environment",
  });

  const ui = servingCommand(
    program,
    "ui",
    "open the studio in a browser; serve the gym first if none runs with this data directory",
  )
    .optionsGroup("Studio:")
    .option("--no-open", "print the URL of the studio, and open no browser")
    .action(async ({ open, ...flags }: ServeFlags & { open: boolean }) => {
      const config = await configOf(flags);
      outliveOutput();
      const { ui } = await import("../handlers/ui.js");
      await ui(config, open, times);
    });
  guide(ui, "server/README.md#training-runs-and-evaluations", {
    "palestra ui": "See, play, fork and compare episodes",
    "palestra ui --no-open --runs runs": "Print the URL of the studio, which also shows the runs of a folder",
  });
}

/** Adds a command that may serve the gym. */
function servingCommand(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .optionsGroup("Network:")
    .option(
      "--host <address>",
      "address to listen on; on other than loopback, callers need a token (default: 127.0.0.1)",
    )
    .option("--port <number>", "port to listen on; 0 takes a free one (default: 8700)", wholeFrom(0, highestPort))
    .addOption(
      choiceOption("--auth <mode>", "callers who need a token; auto: those of other machines (default: auto)", [
        ...["auto", "required", "off"],
      ]),
    )
    .option(
      "--nemo <environment=port>",
      "port for NeMo Gym to play an environment, such as babyai=9001; may be repeated",
      parseEnvironmentPort,
    )
    .option(
      "--fleet-address <url>",
      "URL under which the other gyms of a fleet reach this gym; all have the same --log (default: the gym is alone)",
    )
    .optionsGroup("Gym:")
    .option(
      "--hosts <count>",
      "worker threads that run environments (default: one less than the processors)",
      wholeFrom(1, mostHosts),
    )
    .option(
      "--runs <folder>",
      "folder of training runs and evaluations to show; may be repeated (default: runs, .palestra/evaluations)",
      collected,
    )
    .addOption(
      choiceOption("--log-level <level>", "least severity of lines in the log (default: info)", [
        ...["fatal", "error", "warn", "info", "debug", "trace", "silent"],
      ]),
    );
}
