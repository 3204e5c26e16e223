/** The output of `palestra token list`. */
import { dayOf, dayText, type Quota, type Usage } from "../../episodes/quotas/quota.js";
import type { Token, TokenGroup } from "../../tokens/token-records.js";
import { tableOf } from "../terminal/table.js";

/**
 * Returns the tokens and groups as tables, or as the JSON object {tokens, groups}. Hashes of secrets are left out.
 *
 * @param usage stored steps of a day. A running gym stores them every five seconds.
 */
export function listText(
  tokens: readonly Token[],
  groups: readonly TokenGroup[],
  usage: Usage | null,
  asJson: boolean,
): string {
  const today = usage?.day === dayText(dayOf(Date.now())) ? usage : null;
  const stepsOf = (counts: Record<string, number> | undefined, key: string) =>
    new Map(Object.entries(counts ?? {})).get(key) ?? 0;
  const listed = tokens.map(({ sha256, ...token }) => ({ ...token, stepsToday: stepsOf(today?.callers, token.id) }));
  const listedGroups = groups.map((group) => ({
    ...group,
    tokens: tokens.filter(({ group: name }) => name === group.name).length,
    stepsToday: stepsOf(today?.groups, group.name),
  }));
  if (asJson) return JSON.stringify({ tokens: listed, groups: listedGroups }, null, 2);
  const tables = [
    tableOf(["id", "name", "rights", "group", "expires", ...limitHeads, "log MiB", "created"], listed, (token) => [
      token.id,
      token.name,
      token.rights.join(",") || none,
      token.group ?? none,
      expiryText(token),
      ...limitCells(token, token.stepsToday),
      `${token.maxLogMb ?? none}`,
      minuteText(token.createdAt),
    ]),
    tableOf(["group", "tokens", ...limitHeads], listedGroups, (group) => [
      group.name,
      `${group.tokens}`,
      ...limitCells(group, group.stepsToday),
    ]),
  ];
  return tables.filter((table) => table !== "").join("\n\n");
}

/** Describes a group in one line. @param tokens number of tokens in the group */
export function groupText({ name, ...quota }: TokenGroup, tokens: number): string {
  const limits = [
    [quota.maxEpisodes, "live episodes"],
    [quota.maxSandboxEpisodes, "live episodes that hold a sandbox"],
    [quota.maxStepsPerDay, "steps per UTC day"],
  ] as const;
  const stated = limits.filter(([limit]) => limit !== undefined).map(([limit, of]) => `at most ${limit} ${of}`);
  return `${name}: ${stated.join(", ") || "no limits"}; tokens: ${tokens}`;
}

const none = "-";
const limitHeads = ["episodes", "in sandboxes", "steps per day", "steps today"];

function limitCells({ maxEpisodes, maxSandboxEpisodes, maxStepsPerDay }: Quota, stepsToday: number): string[] {
  return [...[maxEpisodes, maxSandboxEpisodes, maxStepsPerDay].map((limit) => `${limit ?? none}`), `${stepsToday}`];
}

function expiryText({ expiresAt }: Pick<Token, "expiresAt">): string {
  if (expiresAt === undefined) return "never";
  return `${minuteText(expiresAt)}${Date.parse(expiresAt) <= Date.now() ? " (expired)" : ""}`;
}

/** @param time ISO time in UTC. @returns the time to the minute, such as `2030-01-31T18:00Z` */
function minuteText(time: string): string {
  return `${time.slice(0, 16)}Z`;
}
