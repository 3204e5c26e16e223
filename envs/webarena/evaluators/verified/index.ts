/**
 * Evaluators of WebArena-Verified 1.2.3: an agent's answer and the requests of its browser against what a task expects of them,
 * without a model as a judge and without a look at any page. They give the scores of the public package `webarena-verified`
 * (ServiceNow, Apache-2.0) but for what test/envs/webarena/verified.test.ts lists. As there, a list in place of a value of an
 * answer stands for alternatives, one of which has to be right.
 */
import type { SiteUrls } from "../../tasks/sites.js";
import { type AgentResponseSpec, parseAgentResponse, responseDifference } from "./agent-response.js";
import type { Difference } from "./comparison.js";
import { eventDifference } from "./network-evaluator.js";
import type { NetworkEvent } from "./network-event.js";
import { type NetworkEventSpec, parseNetworkEvent } from "./network-spec.js";
import { PatternTooSlow } from "./pattern/pattern.js";
import { UnsupportedSpec } from "./schema.js";
import { SiteAddresses } from "./site-addresses.js";

export { UnsupportedJsonPath } from "./json-path.js";
export { isNavigation, isStatic, type NetworkEvent } from "./network-event.js";
export { UnsupportedPattern } from "./pattern/pattern.js";
export { UnsupportedSpec } from "./schema.js";

/** Parsed evaluators of a task. */
export interface VerifiedSpec {
  evaluators: readonly (AgentResponseSpec | NetworkEventSpec)[];
  sites: SiteAddresses;
  /** Why no episode can reach a score of 1: mistakes in the task file that the public package does not notice either. */
  unsatisfiable: readonly string[];
}

/** Answer and requests of an episode. */
export interface VerifiedRun {
  /** Its last message: JSON, which may stand between code fences. */
  answer: string;
  /** Requests in the order in which they were sent. */
  events: readonly NetworkEvent[];
}

export interface VerifiedEvaluation {
  /** 1 where all evaluators give 1. */
  score: 0 | 1;
  results: readonly EvaluatorResult[];
}

export interface EvaluatorResult {
  evaluator: string;
  score: 0 | 1;
  /** The first difference, or `as expected`. */
  reason: string;
}

/**
 * @param evaluators the `eval` of a task
 * @param sites addresses of the task's sites, and of no others, in the task's order
 * @throws {UnsupportedSpec} a part of the task is not known or not well formed
 * @throws {UnsupportedPattern} @throws {UnsupportedJsonPath}
 */
export function parseVerified(evaluators: unknown, sites: SiteUrls): VerifiedSpec {
  if (!Array.isArray(evaluators)) throw new UnsupportedSpec("the evaluators", "a list", evaluators);
  const addresses = new SiteAddresses(sites);
  const specs = evaluators.map((config: Readonly<Record<string, unknown>>) => {
    if (config?.evaluator === "AgentResponseEvaluator") return parseAgentResponse(config, addresses);
    if (config?.evaluator === "NetworkEventEvaluator") return parseNetworkEvent(config, addresses);
    throw new UnsupportedSpec("an evaluator", "AgentResponseEvaluator or NetworkEventEvaluator", config?.evaluator);
  });
  if (!specs.some(isAgentResponse))
    throw new UnsupportedSpec("the evaluators", "at least one AgentResponseEvaluator", "none");
  const unsatisfiable = specs.flatMap((spec) => spec.unsatisfiable ?? []);
  return { evaluators: specs, sites: addresses, unsatisfiable };
}

export function evaluateVerified(spec: VerifiedSpec, { answer, events }: VerifiedRun): VerifiedEvaluation {
  const isNavigateTask = spec.evaluators.find(isAgentResponse)?.taskType === "NAVIGATE";
  const results = spec.evaluators.map((one) =>
    resultOf(one.evaluator, () =>
      isAgentResponse(one) ? responseDifference(one, answer, spec.sites) : eventDifference(one, events, isNavigateTask),
    ),
  );
  return { score: results.every(({ score }) => score === 1) ? 1 : 0, results };
}

function isAgentResponse(spec: AgentResponseSpec | NetworkEventSpec): spec is AgentResponseSpec {
  return spec.evaluator === "AgentResponseEvaluator";
}

function resultOf(evaluator: string, find: () => Difference | null): EvaluatorResult {
  try {
    const found = find();
    return found ? { evaluator, score: 0, reason: found() } : { evaluator, score: 1, reason: "as expected" };
  } catch (error) {
    if (!(error instanceof PatternTooSlow)) throw error;
    return { evaluator, score: 0, reason: error.message };
  }
}
