/** The options of `palestra fleet`, which shows and changes the gyms that share a database. */
import type { Command } from "commander";
import type { Context } from "../context.js";
import { guide } from "../terminal/command-line.js";

const page = "server/README.md#fleet";

export function addFleetCommands(program: Command, context: Context): void {
  const fleet = program
    .command("fleet")
    .description("show the gyms that share a database, and move episodes between them");
  const url = async () => (await context.config()).log.url;
  const status = fleet
    .command("status")
    .description("list the gyms with their shards, episodes and steps a second")
    .option("--watch", "print the list again every second", false)
    .option("--json", "print the JSON object {gyms, unowned, pinned}", false)
    .action(async (flags) => (await import("../handlers/fleet.js")).status(await url(), flags));
  const drain = fleet
    .command("drain <address>")
    .description("let a gym give its episodes to the others, and wait until it has none")
    .option("--undo", "let the gym take episodes again", false)
    .option("--json", "print the JSON object {address, isDraining}", false)
    .action(async (address, flags) => (await import("../handlers/fleet.js")).drain(await url(), address, flags));
  const move = fleet
    .command("move <episode-or-shards> <address>")
    .description("move an episode with its shard, or shards such as 17 or 0-99, to a gym, where they stay")
    .option("--json", "print the JSON object {address, shards}", false)
    .action(async (what, address, flags) =>
      (await import("../handlers/fleet.js")).move(await url(), what, address, flags),
    );
  guide(fleet, page, { "palestra fleet status": "List the gyms" });
  guide(status, page, {
    "palestra fleet status": "List the gyms",
    "palestra --log postgres://gym@db/gym fleet status --watch": "Watch the gyms of another database",
  });
  guide(drain, page, {
    "palestra fleet drain http://10.0.0.3:8700": "Empty a gym before its machine is stopped",
    "palestra fleet drain http://10.0.0.3:8700 --undo": "Let the gym take episodes again",
  });
  guide(move, page, { "palestra fleet move 0-99 http://10.0.0.3:8700": "Move a hundred shards to a gym" });
}
