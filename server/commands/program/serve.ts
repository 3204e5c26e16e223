/** The options of `palestra serve` and `palestra ui`. */
import type { Command } from "commander";
import type { Config } from "../../config.js";
import { highestPort, mostHosts } from "../../setting-ranges.js";
import { collected, wholeFrom } from "../arguments.js";
import type { Context } from "./context.js";

type ServeFlags = Record<"host" | "port" | "auth" | "hosts" | "logLevel", string | number | undefined> & {
  runs?: string[];
};

export function addServingCommands(program: Command, context: Context): void {
  const configOf = ({ hosts, ...flags }: ServeFlags): Promise<Config> =>
    context.config({ ...flags, hosts: { count: hosts } });

  servingCommand(program, "serve", "serve the gym over HTTP and WebSocket until SIGTERM").action(
    async (flags: ServeFlags) => {
      const config = await configOf(flags);
      const { serve } = await import("../../main.js");
      await serve(config);
    },
  );

  servingCommand(
    program,
    "ui",
    "open the studio in a browser; serve the gym first if none runs with this data directory",
  )
    .option("--no-open", "print the URL of the studio, and open no browser")
    .action(async ({ open, ...flags }: ServeFlags & { open: boolean }) => {
      const config = await configOf(flags);
      const { ui } = await import("../ui.js");
      await ui(config, open);
    });
}

/** Adds a command that may serve the gym. */
function servingCommand(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option(
      "--host <address>",
      "address to listen on; on other than loopback, callers need a token (default 127.0.0.1)",
    )
    .option("--port <number>", "port to listen on (default 8700)", wholeFrom(0, highestPort))
    .option("--auth <mode>", "auto, required or off")
    .option("--hosts <count>", "worker threads that run environments", wholeFrom(1, mostHosts))
    .option("--runs <folder>", "folder of training runs and evaluations to show; may be repeated", collected)
    .option("--log-level <level>", "fatal, error, warn, info, debug, trace or silent");
}
