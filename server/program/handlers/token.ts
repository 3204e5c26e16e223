/** The command `palestra token` manages the tokens of users on other machines, and groups of tokens that share limits. */
import { InvalidArgumentError } from "commander";
import { type StatePlace, type TokenAdmin, withTokens } from "../../app/gym-state.js";
import type { Quota } from "../../episodes/quotas/quota.js";
import { shown } from "../../errors.js";
import { didYouMean } from "../../formats/did-you-mean.js";
import { type Token, type Tokens, tokenRights } from "../../tokens/token-records.js";
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

/** Opens the tokens, which are in the data directory, or in the database of the log. */
function open<T>(place: StatePlace, use: (admin: TokenAdmin) => Promise<T>): Promise<T> {
  return withTokens(place, (text) => console.error(text), use);
}

/** Prints the tokens and groups. */
export function list(place: StatePlace, { json }: { json: boolean }): Promise<void> {
  return open(place, async ({ tokens, usage }) => {
    const text = listText(tokens.list(), tokens.groups(), usage, json);
    if (text !== "") console.log(text);
  });
}

/** Creates a token and prints its secret, which is stored nowhere. */
export function create(place: StatePlace, flags: CreateFlags): Promise<void> {
  return open(place, ({ tokens }) => createIn(tokens, flags));
}

async function createIn(store: Tokens, { name, json, expires, group, ...flags }: CreateFlags): Promise<void> {
  const expiresAt = expires === undefined ? undefined : expiryOf(expires);
  const sameName = store.list().find((token) => token.name === name && !isExpired(token));
  if (sameName) {
    const remedy = `Choose another name, or revoke that token with \`palestra token revoke ${sameName.id}\``;
    throw new InvalidArgumentError(`expected a name that no token has, but received ${shown(name)}. ${remedy}`);
  }
  if (group !== undefined) expectGroup(store, group);
  const { expert: _expert, runs: _runs, ...limits } = flags;
  const { token, secret } = await store.create({
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
export function revoke(place: StatePlace, idOrName: string, flags: { json: boolean }): Promise<void> {
  return open(place, ({ tokens }) => revokeIn(tokens, idOrName, flags));
}

async function revokeIn(store: Tokens, idOrName: string, { json }: { json: boolean }): Promise<void> {
  if (await store.revoke(idOrName)) {
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

function expectGroup(store: Tokens, name: string): void {
  const names = store.groups().map((group) => group.name);
  if (names.includes(name)) return;
  const known = names.length > 0 ? `one of the groups ${names.join(", ")}` : "an existing group";
  const remedy = `Create it with \`palestra token group ${groupName.test(name) ? name : "<name>"}\``;
  throw new InvalidArgumentError(`expected ${known}, but received ${shown(name)}${didYouMean(name, names)}. ${remedy}`);
}

const groupName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/;

/** Creates, changes or removes a group. */
export async function changeGroup(place: StatePlace, name: string, flags: GroupFlags): Promise<void> {
  if (!groupName.test(name)) {
    const expected =
      "a name of 1 to 50 letters, digits, dots, dashes and underscores that starts with a letter or digit";
    throw new InvalidArgumentError(`expected ${expected}, but received ${shown(name)}`);
  }
  await open(place, ({ tokens }) => changeIn(tokens, name, flags));
}

async function changeIn(store: Tokens, name: string, { remove, json, ...changes }: GroupFlags): Promise<void> {
  const members = store.list().filter(({ group }) => group === name);
  if (remove) {
    await removeGroup(store, name, members);
    if (json) console.log(JSON.stringify({ removed: name }));
    return;
  }
  const limits = Object.entries({ ...store.groups().find((group) => group.name === name), ...changes });
  const kept: Quota = Object.fromEntries(limits.filter(([, limit]) => limit !== "none"));
  const group = { ...kept, name };
  await store.setGroup(group);
  console.log(
    json ? JSON.stringify({ group: { ...group, tokens: members.length } }) : groupText(group, members.length),
  );
}

async function removeGroup(store: Tokens, name: string, members: readonly Token[]): Promise<void> {
  expectGroup(store, name);
  if (members.length > 0) {
    const received = `the tokens ${members.map((token) => token.name).join(", ")}. Revoke them first`;
    throw new InvalidArgumentError(`expected the group ${name} to have no tokens, but received ${received}`);
  }
  await store.removeGroup(name);
}
