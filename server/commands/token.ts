/** The command `palestra token` manages the tokens of users on other machines, and groups of tokens that share limits. */
import { InvalidArgumentError } from "commander";
import { didYouMean } from "../did-you-mean.js";
import type { Quota } from "../episodes/quota.js";
import { shown } from "../errors.js";
import { type Token, TokenStore, tokenRights } from "../tokens.js";
import { UsageFile } from "../usage-file.js";
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
  json: boolean;
}

/** Prints the tokens and groups. */
export function list(dataDir: string, { json }: { json: boolean }): void {
  const store = new TokenStore(dataDir);
  const text = listText(store.list(), store.groups(), new UsageFile(dataDir).read(), json);
  if (text !== "") console.log(text);
}

/** Creates a token and prints its secret, which is stored nowhere. */
export function create(dataDir: string, { name, json, expires, group, ...flags }: CreateFlags): void {
  const store = new TokenStore(dataDir);
  const expiresAt = expires === undefined ? undefined : expiryOf(expires);
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
    ...(expiresAt !== undefined && { expiresAt }),
    ...(group !== undefined && { group }),
  });
  console.log(json ? JSON.stringify({ id: token.id, token: secret, expiresAt: token.expiresAt }) : secret);
}

/** Commander has no part in parsing this option, because the parser takes long to load. */
function expiryOf(text: string): string {
  try {
    return parseExpiry(text);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new InvalidArgumentError(`option '--expires <when>': ${error.message}`);
  }
}

/** Refuses a token from now on. */
export function revoke(dataDir: string, idOrName: string, { json }: { json: boolean }): void {
  const store = new TokenStore(dataDir);
  if (store.revoke(idOrName)) {
    if (json) console.log(JSON.stringify({ revoked: idOrName }));
    return;
  }
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

/** Creates, changes or removes a group. */
export function changeGroup(dataDir: string, name: string, { remove, json, ...changes }: GroupFlags): void {
  if (!groupName.test(name)) {
    const expected =
      "a name of 1 to 50 letters, digits, dots, dashes and underscores that starts with a letter or digit";
    throw new InvalidArgumentError(`expected ${expected}, but received ${shown(name)}`);
  }
  const store = new TokenStore(dataDir);
  const members = store.list().filter(({ group }) => group === name);
  if (remove) {
    removeGroup(store, name, members);
    if (json) console.log(JSON.stringify({ removed: name }));
    return;
  }
  const limits = Object.entries({ ...store.groups().find((group) => group.name === name), ...changes });
  const kept: Quota = Object.fromEntries(limits.filter(([, limit]) => limit !== "none"));
  const group = { ...kept, name };
  store.setGroup(group);
  console.log(
    json ? JSON.stringify({ group: { ...group, tokens: members.length } }) : groupText(group, members.length),
  );
}

function removeGroup(store: TokenStore, name: string, members: readonly Token[]): void {
  expectGroup(store, name);
  if (members.length > 0) {
    const received = `the tokens ${members.map((token) => token.name).join(", ")}. Revoke them first`;
    throw new InvalidArgumentError(`expected the group ${name} to have no tokens, but received ${received}`);
  }
  store.removeGroup(name);
}
