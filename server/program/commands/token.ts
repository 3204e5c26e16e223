/** The options of `palestra token`, which manages the tokens of users on other machines, and groups of tokens. */
import { type Command, InvalidArgumentError } from "commander";
import { shown } from "../../errors.js";
import type { Context } from "../context.js";
import { wholeFrom } from "../terminal/arguments.js";
import { guide } from "../terminal/command-line.js";

const page = "server/README.md#limits-of-tokens";

export function addTokenCommands(program: Command, context: Context): void {
  const token = program.command("token").description("manage the tokens of users on other machines");
  addCreate(token, context);
  addGroup(token, context);
  const list = token
    .command("list")
    .description("list the tokens and groups with their limits and their steps of the day, without secrets")
    .option("--json", "print the JSON object {tokens, groups}", false)
    .action(async (flags) => (await import("../handlers/token.js")).list(await context.config(), flags));
  const revoke = token
    .command("revoke <id-or-name>")
    .description("refuse a token from now on; its episodes stay in the log")
    .option("--json", "print the JSON object {revoked}", false)
    .action(async (idOrName, flags) =>
      (await import("../handlers/token.js")).revoke(await context.config(), idOrName, flags),
    );
  guide(token, page, { "palestra token list": "List the tokens and groups" });
  guide(list, page, {
    "palestra token list": "List the tokens and groups",
    "palestra token list --json": "List them for a program",
  });
  guide(revoke, page, { "palestra token revoke ada": "Refuse the token of a user from now on" });
}

function addCreate(token: Command, context: Context): void {
  const create = token
    .command("create")
    .description("create a token, which is shown only once")
    .requiredOption("--name <name>", "name of the user", parseName)
    .option("--expert", "allow asking the expert", false)
    .option("--runs", "allow reading the training runs and evaluations of this machine", false)
    .option("--expires <when>", "30d, 12h, or a date such as 2030-01-31 (UTC) (default: never)")
    .option("--group <name>", "group whose limits the token shares, made with `palestra token group`")
    .option("--max-episodes <number>", "most live episodes at a time", wholeFrom(1), 10_000)
    .option("--max-log-mb <number>", "most MiB of episodes in the log (default: no limit)", wholeFrom(1))
    .option(
      "--max-sandbox-episodes <number>",
      "most live episodes at a time that hold a sandbox, such as a machine or a browser",
      wholeFrom(1),
    )
    .option("--max-steps-per-day <number>", "most steps per UTC day", wholeFrom(1))
    .option("--json", "print the JSON object {id, token, expiresAt}", false)
    .action(async (flags) => (await import("../handlers/token.js")).create(await context.config(), flags));
  guide(create, page, {
    "palestra token create --name ada": "Print a token for a user on another machine",
    "palestra token create --name ada --expires 30d --max-episodes 100 --group lab-a": "Create a token with limits",
  });
}

function addGroup(token: Command, context: Context): void {
  const group = token
    .command("group <name>")
    .description("create a group of tokens that share limits, or change its limits")
    .option("--max-episodes <number>", "most live episodes at a time, or none", wholeOrNone)
    .option("--max-sandbox-episodes <number>", "most live episodes that hold a sandbox, or none", wholeOrNone)
    .option("--max-steps-per-day <number>", "most steps per UTC day, or none", wholeOrNone)
    .option("--remove", "remove the group, which must have no tokens", false)
    .option("--json", "print the JSON object {group} or {removed}", false)
    .action(async (name, flags) =>
      (await import("../handlers/token.js")).changeGroup(await context.config(), name, flags),
    );
  guide(group, page, {
    "palestra token group lab-a --max-episodes 500 --max-steps-per-day 100000": "Create or change a group",
    "palestra token group lab-a --max-steps-per-day none": "Remove a limit",
    "palestra token group lab-a --remove": "Remove a group without tokens",
  });
}

/** Parses a limit, or `none`. Commander would replace a null by an empty string. */
function wholeOrNone(text: string): number | "none" {
  if (text === "none") return text;
  try {
    return wholeFrom(1)(text);
  } catch {
    const expected = `an integer from 1 to ${Number.MAX_SAFE_INTEGER}, or none`;
    throw new InvalidArgumentError(`expected ${expected}, but received ${shown(text)}`);
  }
}

/** Checks the name of a token, which is shown in lists and typed to revoke the token. */
function parseName(text: string): string {
  if (/^[^\p{C}\p{Z}]([^\p{C}]{0,98}[^\p{C}\p{Z}])?$/u.test(text)) return text;
  const name = "a name of 1 to 100 characters without control characters and without spaces at its start and end";
  throw new InvalidArgumentError(`expected ${name}, but received ${shown(text)}`);
}
