/** Episodes and calls of tau2-bench, recorded by test/peers/tau2-trajectories.py. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import type { DomainName } from "#palestra/envs/tau2/domains/domain.js";
import { type Ending, type Episode, evaluate } from "#palestra/envs/tau2/episode/evaluate.js";
import { messagesIn } from "#palestra/envs/tau2/episode/message.js";
import { Reader } from "#palestra/envs/tau2/episode/reader.js";
import { World } from "#palestra/envs/tau2/episode/world.js";
import { tasksOf } from "#palestra/envs/tau2/folder.js";
import { hashOf } from "#palestra/envs/tau2/python/hash.js";
import { readJson } from "#palestra/envs/tau2/python/read.js";
import type { Dict, Value } from "#palestra/envs/tau2/python/value.js";

export const fixtureData = fileURLToPath(new URL("../../fixtures/tau2/data", import.meta.url));
export const fixtureEpisodes = fileURLToPath(new URL("../../fixtures/tau2/episodes.jsonl.gz", import.meta.url));

export function rowsOf(path: string): Dict[] {
  const lines = gunzipSync(readFileSync(path)).toString().trim().split("\n");
  return lines.map((line) => readJson(line) as Dict);
}

export interface RecordedEpisode {
  domain: DomainName;
  /** Name of the episode in messages of tests. */
  name: string;
  episode: Episode;
  /** Evaluation of tau2-bench, or undefined if it fails. */
  info: Dict | undefined;
}

export function episodesIn(rows: readonly Dict[], data: string): RecordedEpisode[] {
  return rows
    .filter((row) => row.has("simulation"))
    .map((row) => {
      const domain = row.get("domain") as DomainName;
      const simulation = row.get("simulation") as Dict;
      const info = simulation.get("reward_info") as Dict | undefined;
      const verdicts = info?.get("nl_assertions") as Dict[] | null | undefined;
      const task = tasksOf(data, domain).find(({ id }) => id === row.get("task"));
      if (!task) throw new Error(`expected a task ${String(row.get("task"))} in ${data}`);
      const episode: Episode = {
        task,
        ending: simulation.get("termination_reason") as Ending,
        messages: messagesIn(new Reader(simulation.get("messages") as Value, "messages")),
        ...(verdicts && { verdicts: verdicts.map((each) => each.get("met") === true) }),
      };
      return { domain, name: `${domain} ${task.id} ${String(row.get("variant"))}`, episode, info };
    });
}

/** Evaluation in the form in which both sides are compared. */
export interface Compared {
  reward: number;
  parts: Record<string, number>;
  isDatabaseRight: boolean | null;
  checks: Record<string, boolean[]>;
}

/** Returns our evaluation of an episode. */
export function ours(data: string, { domain, episode }: RecordedEpisode): Compared {
  const { reward, parts, isDatabaseRight = null, assertions, actions, told } = evaluate(data, domain, episode);
  return { reward, parts: { ...parts }, isDatabaseRight, checks: { assertions, actions, told } };
}

/** Returns tau2-bench's evaluation of an episode. */
export function theirs(info: Dict): Compared {
  const parts = [...((info.get("reward_breakdown") as Dict | null) ?? [])].map(([name, each]) => [name, Number(each)]);
  const checks = { assertions: "env_assertions", actions: "action_checks", told: "communicate_checks" };
  const right = (info.get("db_check") as Dict | null)?.get("db_match");
  return {
    reward: Number(info.get("reward")),
    parts: Object.fromEntries(parts),
    isDatabaseRight: (right as boolean | undefined) ?? null,
    checks: Object.fromEntries(Object.entries(checks).map(([name, field]) => [name, info.get(field) as boolean[]])),
  };
}

export interface CallCounts {
  calls: number;
  /** Calls with another answer than tau2-bench's, and databases with another hash. */
  unlike: string[];
}

/** Performs recorded calls, and compares the answers and the databases after them. */
export function playedCalls(rows: readonly Dict[], data: string): CallCounts {
  const counts: CallCounts = { calls: 0, unlike: [] };
  for (const row of rows.filter((each) => each.has("calls"))) {
    const world = new World(data, row.get("domain") as DomainName);
    for (const call of row.get("calls") as Dict[]) {
      const [name, args] = [call.get("name") as string, call.get("arguments") as Dict];
      const { content, isError } = world.answer({ name, arguments: args, requestor: "assistant" });
      counts.calls += 1;
      if (content !== call.get("content") || isError !== call.get("error"))
        counts.unlike.push(`${name}: expected ${String(call.get("content"))}, but received ${content}`);
    }
    if (hashOf(world.agent.whole()) !== row.get("db_hash")) counts.unlike.push(`the hash of ${world.name}`);
  }
  return counts;
}

/** Returns the names of the tools of a domain that the recording has with an answer, and of those with an error. */
export function recordedTools(rows: readonly Dict[], domain: DomainName) {
  const [answered, refused] = [new Set<string>(), new Set<string>()];
  const note = (name: Value, isError: Value) => (isError ? refused : answered).add(String(name));
  for (const row of rows.filter((each) => each.get("domain") === domain)) {
    for (const call of (row.get("calls") ?? []) as Dict[]) note(call.get("name") ?? null, call.get("error") ?? null);
    const simulation = row.get("simulation") as Dict | undefined;
    const names = new Map<Value, Value>();
    for (const message of (simulation?.get("messages") ?? []) as Dict[]) {
      for (const call of (message.get("tool_calls") ?? []) as Dict[])
        names.set(call.get("id") ?? null, call.get("name") ?? null);
      if (message.get("role") === "tool")
        note(names.get(message.get("id") ?? null) ?? null, message.get("error") ?? null);
    }
  }
  return { answered: [...answered].sort(), refused: [...refused].sort() };
}
