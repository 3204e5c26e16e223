/** The evaluation of an episode, as tau2-bench performs it. */

import type { DomainName } from "../domains/domain.js";
import { isEqual } from "../python/operations.js";
import { hasText, type Message, type ToolCall } from "./message.js";
import type { Component, Criteria, GoldenAction, Tau2Task } from "./task.js";
import { World } from "./world.js";

/** Why an episode has ended. */
export const endings = [
  "user_stop",
  "agent_stop",
  "max_steps",
  "too_many_errors",
  "agent_error",
  "user_error",
  "timeout",
  "infrastructure_error",
  "context_window_exceeded",
  "unexpected_error",
] as const;
export type Ending = (typeof endings)[number];

export interface Evaluation {
  /** Product of the parts in the task's reward basis, without those that nobody has judged. */
  reward: number;
  /** Reward of each part that counts. */
  parts: Partial<Record<Component, number>>;
  /** Whether the databases are as after the golden actions. Undefined if the task does not compare them. */
  isDatabaseRight?: boolean;
  /** Whether each assertion about the databases holds. */
  assertions: boolean[];
  /** Whether each golden action was taken. */
  actions: boolean[];
  /** Whether each piece of information was told. */
  told: boolean[];
  /** Assertions in the reward basis that need an LLM judge, and were not judged. */
  unjudged: string[];
  /** Why there is no more to evaluate, if so. */
  note?: string;
}

export interface Episode {
  task: Tau2Task;
  ending: Ending;
  /** All messages, those of the task's initial state included. */
  messages: readonly Message[];
  /** Verdicts of an LLM judge on the task's assertions in natural language, if there are any. */
  verdicts?: readonly boolean[];
}

/**
 * Evaluates an episode: replays its calls and the golden actions on new databases, and compares them.
 *
 * @param data folder with tau2-bench's data
 * @throws {NotReplayable} the messages do not fit the tools
 */
export function evaluate(data: string, domain: DomainName, episode: Episode): Evaluation {
  const { task, ending } = episode;
  const nothing = { parts: {}, assertions: [], actions: [], told: [], unjudged: [] };
  if (ending !== "user_stop" && ending !== "agent_stop")
    return { ...nothing, reward: 0, note: `The episode ended early: ${ending}.` };
  const { criteria } = task;
  if (!criteria) return { ...nothing, reward: 1, note: "The task has no criteria." };
  const state = stateOf(data, domain, episode, criteria);
  const actions = (criteria.actions ?? []).map((action) => isTaken(action, episode.messages));
  const told = criteria.told.map((text) => isTold(text, episode.messages));
  const judged = judgedOf(criteria, episode.verdicts);
  const all: Partial<Record<Component, number>> = {
    ...state.parts,
    ACTION: reward(actions),
    COMMUNICATE: reward(told),
    ...(judged !== undefined && { NL_ASSERTION: judged }),
  };
  const counted = Object.entries(all).filter(([part]) => criteria.basis.includes(part as Component));
  const isUnjudged = criteria.basis.includes("NL_ASSERTION") && judged === undefined;
  return {
    reward: counted.reduce((product, [, each]) => product * each, 1),
    parts: Object.fromEntries(counted),
    ...(state.isRight !== undefined && { isDatabaseRight: state.isRight }),
    assertions: state.assertions,
    actions,
    told,
    unjudged: isUnjudged ? [...criteria.judged] : [],
  };
}

interface State {
  parts: Partial<Record<Component, number>>;
  isRight?: boolean;
  assertions: boolean[];
}

function stateOf(data: string, domain: DomainName, { task, messages }: Episode, criteria: Criteria): State {
  if (!criteria.actions && !criteria.assertions) return { parts: {}, isRight: true, assertions: [] };
  const { initial } = task;
  const played = new World(data, domain);
  played.initialize({ ...initial, messages });
  const golden = new World(data, domain);
  golden.initialize(initial);
  for (const action of criteria.actions ?? []) golden.answer(action);
  const isRight = played.hasContentOf(golden);
  const assertions = (criteria.assertions ?? []).map((each) => played.holds(each));
  return { parts: { DB: Number(isRight), ENV_ASSERTION: reward(assertions) }, isRight, assertions };
}

function reward(checks: readonly boolean[]): number {
  return Number(checks.every(Boolean));
}

/** Whether one of the calls is the golden action. */
function isTaken(action: GoldenAction, messages: readonly Message[]): boolean {
  const calls = messages.flatMap((message) => (message.role === "tool" ? [] : (message.calls ?? [])));
  return calls.some((call) => isSameCall(action, call));
}

function isSameCall({ name, arguments: golden, compared }: GoldenAction, call: ToolCall): boolean {
  if (name !== call.name) return false;
  const keys = compared ?? [...call.arguments.keys()];
  return keys.every((key) => {
    const [wanted, given] = [golden.get(key), call.arguments.get(key)];
    return wanted === undefined || given === undefined ? wanted === given : isEqual(wanted, given);
  });
}

/** Whether a message of the agent contains a text. Upper case and commas in the message do not matter. */
function isTold(text: string, messages: readonly Message[]): boolean {
  const sought = text.toLowerCase();
  return messages.some(
    (message) =>
      message.role === "assistant" &&
      hasText(message) &&
      (message.content ?? "").toLowerCase().replaceAll(",", "").includes(sought),
  );
}

/** Returns the reward for the assertions in natural language, or undefined if an LLM judge is needed. */
function judgedOf({ judged }: Criteria, verdicts: readonly boolean[] | undefined): number | undefined {
  if (judged.length === 0) return 1;
  return verdicts && reward(verdicts);
}
