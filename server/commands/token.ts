/** The command `palestra token` manages the tokens of users on other machines, and groups of tokens that share limits. */
import { type Command, InvalidArgumentError } from "commander";
import { didYouMean } from "../did-you-mean.js";
import type { Quota } from "../episodes/quota.js";
import { shown } from "../errors.js";
import { type Token, TokenStore, tokenRights } from "../tokens.js";
import { UsageFile } from "../usage-file.js";
import { wholeFrom } from "./arguments.js";
import { parseExpiry } from "./expiry.js";
import { groupText, listText } from "./token-list.js";

interface CreateFlags extends Quota {
  name: string;
  expert: boolean;
  runs: boolean;
  group?: string;
  expires?: string;
  maxEpisodes: number;
  maxLogMb?: number;
  json: boolean;
}

/** Limits of a group to change. `none` removes a limit. */
interface GroupFlags extends Partial<Record<keyof Quota, number | "none">> {
  remove: boolean;
}

/** @param dataDir returns the data directory that the program's options select */
export function addTokenCommands(program: Command, dataDir: () => string): void {
  const tokens = () => new TokenStore(dataDir());
  const token = program.command("token").description("manage the tokens of users on other machines");
  addCreate(token, tokens);
  addGroup(token, tokens);

  token
    .command("list")
    .description("list the tokens and groups with their limits and their steps of the day, without secrets")
    .option("--json", "print JSON", false)
    .action(({ json }: { json: boolean }) => {
      const store = tokens();
      const text = listText(store.list(), store.groups(), new UsageFile(dataDir()).read(), json);
      if (text !== "") console.log(text);
    });

  token
    .command("revoke <id-or-name>")
    .description("refuse a token from now on; its episodes stay in the log")
    .action((idOrName: string) => revoke(tokens(), idOrName));
}

function addCreate(token: Command, tokens: () => TokenStore): void {
  token
    .command("create")
    .description("create a token, which is shown only once")
    .requiredOption("--name <name>", "name of the user", parseName)
    .option("--expert", "allow asking the expert", false)
    .option("--runs", "allow reading the training runs and evaluations of this machine", false)
    .option("--expires <when>", "30d, 12h, or a date such as 2030-01-31 (UTC); default: never", (text) =>
      parseExpiry(text),
    )
    .option("--group <name>", "group whose limits the token shares, made with `palestra token group`")
    .option("--max-episodes <number>", "most live episodes at a time", wholeFrom(1), 10_000)
    .option("--max-log-mb <number>", "most MiB of episodes in the log (default: no limit)", wholeFrom(1))
    .option(
      "--max-sandbox-episodes <number>",
      "most live episodes at a time that hold a sandbox, such as a machine or a browser",
      wholeFrom(1),
    )
    .option("--max-steps-per-day <number>", "most steps per UTC day", wholeFrom(1))
    .option("--json", "print JSON", false)
    .action((flags: CreateFlags) => create(tokens(), flags));
}

function addGroup(token: Command, tokens: () => TokenStore): void {
  token
    .command("group <name>")
    .description("create a group of tokens that share limits, or change its limits")
    .option("--max-episodes <number>", "most live episodes at a time, or none", wholeOrNone)
    .option("--max-sandbox-episodes <number>", "most live episodes that hold a sandbox, or none", wholeOrNone)
    .option("--max-steps-per-day <number>", "most steps per UTC day, or none", wholeOrNone)
    .option("--remove", "remove the group, which must have no tokens", false)
    .action((name: string, flags: GroupFlags) => changeGroup(tokens(), name, flags));
}

function create(store: TokenStore, { name, json, expires, group, ...flags }: CreateFlags): void {
  const sameName = store.list().find((token) => token.name === name && !isExpired(token));
  if (sameName) {
    const remedy = `Choose another name, or revoke that token with \`palestra token revoke ${sameName.id}\``;
    throw new InvalidArgumentError(`expected a name that no token has, but received ${shown(name)}. ${remedy}`);
  }
  if (group !== undefined) expectGroup(store, group);
  const { expert: _expert, runs: _runs, ...limits } = flags;
  const { token, secret } = store.create({
    name,
    rights: tokenRights.filter((right) => flags[right]),
    ...limits,
    ...(expires !== undefined && { expiresAt: expires }),
    ...(group !== undefined && { group }),
  });
  console.log(json ? JSON.stringify({ id: token.id, token: secret, expiresAt: token.expiresAt }) : secret);
}

function revoke(store: TokenStore, idOrName: string): void {
  if (store.revoke(idOrName)) return;
  const known = store.list().flatMap(({ id, name }) => [id, name]);
  const received = `${shown(idOrName)}${didYouMean(idOrName, known)}`;
  throw new InvalidArgumentError(`expected the id or name of an existing token, but received ${received}`);
}

function isExpired({ expiresAt }: Token): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
}

function expectGroup(store: TokenStore, name: string): void {
  const names = store.groups().map((group) => group.name);
  if (names.includes(name)) return;
  const known = names.length > 0 ? `one of the groups ${names.join(", ")}` : "an existing group";
  const remedy = `Create it with \`palestra token group ${groupName.test(name) ? name : "<name>"}\``;
  throw new InvalidArgumentError(`expected ${known}, but received ${shown(name)}${didYouMean(name, names)}. ${remedy}`);
}

const groupName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/;

function changeGroup(store: TokenStore, name: string, { remove, ...changes }: GroupFlags): void {
  if (!groupName.test(name)) {
    const expected =
      "a name of 1 to 50 letters, digits, dots, dashes and underscores that starts with a letter or digit";
    throw new InvalidArgumentError(`expected ${expected}, but received ${shown(name)}`);
  }
  const members = store.list().filter(({ group }) => group === name);
  if (remove) return removeGroup(store, name, members);
  const limits = Object.entries({ ...store.groups().find((group) => group.name === name), ...changes });
  const kept: Quota = Object.fromEntries(limits.filter(([, limit]) => limit !== "none"));
  const group = { ...kept, name };
  store.setGroup(group);
  console.log(groupText(group, members.length));
}

function removeGroup(store: TokenStore, name: string, members: readonly Token[]): void {
  expectGroup(store, name);
  if (members.length > 0) {
    const received = `the tokens ${members.map((token) => token.name).join(", ")}. Revoke them first`;
    throw new InvalidArgumentError(`expected the group ${name} to have no tokens, but received ${received}`);
  }
  store.removeGroup(name);
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
