/** Tasks in the format of tau2-bench's `tasks.json`. */
import type { Dict, Value } from "../python/value.js";
import { type Message, messagesIn } from "./message.js";
import { Reader } from "./reader.js";

export type Requestor = "assistant" | "user";
export const components = ["DB", "ENV_ASSERTION", "ACTION", "NL_ASSERTION", "COMMUNICATE"] as const;
/** A part of the reward. */
export type Component = (typeof components)[number];

export interface GoldenAction {
  name: string;
  requestor: Requestor;
  arguments: Dict;
  /** Arguments that are compared. Undefined to compare all those of the call. */
  compared?: readonly string[];
}

/** A call of a function of a toolkit, that is no tool for the players. */
export interface FunctionCall {
  side: Requestor;
  name: string;
  arguments: Dict;
}

export interface Assertion extends FunctionCall {
  /** Result that is expected. */
  wanted: boolean;
}

export interface Criteria {
  /** Undefined if the task does not name any, unlike an empty list. */
  actions: readonly GoldenAction[] | undefined;
  assertions: readonly Assertion[] | undefined;
  told: readonly string[];
  judged: readonly string[];
  basis: readonly Component[];
}

export interface InitialState {
  /** Values that replace parts of the databases. */
  agentData: Dict | undefined;
  userData: Dict | undefined;
  calls: readonly FunctionCall[];
  messages: readonly Message[];
}

export interface Tau2Task {
  id: string;
  /** Persona of the user, if any. */
  persona: string | undefined;
  /** Instructions of the user: a text, or the parts of it by name. */
  instructions: string | Dict;
  initial: InitialState;
  criteria: Criteria | undefined;
  /** Tools of the user. Undefined for all. */
  userTools: readonly string[] | undefined;
}

/** @throws {Error} the value is not a list of tasks */
export function tasksIn(value: Value): Tau2Task[] {
  return new Reader(value, "the tasks").list().map(taskIn);
}

function taskIn(reader: Reader): Tau2Task {
  const scenario = reader.get("user_scenario");
  const instructions = scenario.get("instructions").value;
  return {
    id: reader.get("id").text(),
    persona: scenario.optional("persona")?.text(),
    instructions: instructions instanceof Map ? instructions : scenario.get("instructions").text(),
    initial: initialIn(reader.optional("initial_state")),
    criteria: criteriaIn(reader.optional("evaluation_criteria")),
    userTools: reader.optional("user_tools")?.texts(),
  };
}

function initialIn(reader: Reader | undefined): InitialState {
  const data = reader?.optional("initialization_data");
  return {
    agentData: data?.optional("agent_data")?.dict(),
    userData: data?.optional("user_data")?.dict(),
    calls: (reader?.optional("initialization_actions")?.list() ?? []).map(functionIn),
    messages: messagesIn(reader?.optional("message_history")),
  };
}

function criteriaIn(reader: Reader | undefined): Criteria | undefined {
  if (!reader) return undefined;
  const basis = reader.optional("reward_basis")?.list() ?? [];
  return {
    actions: reader.optional("actions")?.list().map(actionIn),
    assertions: reader.optional("env_assertions")?.list().map(assertionIn),
    told: reader.optional("communicate_info")?.texts() ?? [],
    judged: reader.optional("nl_assertions")?.texts() ?? [],
    basis: reader.optional("reward_basis") ? basis.map((each) => each.oneOf(components)) : ["DB", "COMMUNICATE"],
  };
}

function actionIn(reader: Reader): GoldenAction {
  const compared = reader.optional("compare_args")?.texts();
  return {
    name: reader.get("name").text(),
    requestor: requestorIn(reader),
    arguments: reader.get("arguments").dict(),
    ...(compared && { compared }),
  };
}

export function requestorIn(reader: Reader): Requestor {
  return reader.optional("requestor")?.oneOf(["assistant", "user"] as const) ?? "assistant";
}

function functionIn(reader: Reader): FunctionCall {
  return {
    side: reader.get("env_type").oneOf(["assistant", "user"] as const),
    name: reader.get("func_name").text(),
    arguments: reader.get("arguments").dict(),
  };
}

function assertionIn(reader: Reader): Assertion {
  return { ...functionIn(reader), wanted: reader.optional("assert_value")?.value !== false };
}
