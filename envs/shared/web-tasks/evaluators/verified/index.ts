/**
 * Evaluators of WebArena-Verified 1.2.3. They check the agent's answer and the requests of the browser, without an LLM
 * judge and without reading pages. The scores equal those of the public package `webarena-verified` (ServiceNow,
 * Apache-2.0). The file test/envs/shared/web-tasks/verified.test.ts lists the exceptions. As in this package, a list in place
 * of a value contains alternatives, of which one must be right.
 */
import type { SiteUrls } from "../../tasks/sites.js";
import { type AgentResponseSpec, parseAgentResponse, responseDifference } from "./agent-response.js";
import type { Difference } from "./comparison.js";
import { haveSameBase } from "./formats/url.js";
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
  /** Mistakes in the task file because of which no episode can score 1. The public package does not report them. */
  unsatisfiable: readonly string[];
}

/** The answer and the requests of an episode. */
export interface VerifiedRun {
  /** Last message of the agent, which is JSON with or without code fences. */
  answer: string;
  /** Requests in the order in which they were sent. */
  events: readonly NetworkEvent[];
}

export interface VerifiedEvaluation {
  /** Score of the episode: 1 if all evaluators return 1, else 0. */
  score: 0 | 1;
  results: readonly EvaluatorResult[];
}

export interface EvaluatorResult {
  evaluator: string;
  score: 0 | 1;
  /** Description of the first difference, or `as expected`. */
  reason: string;
}

/**
 * Parses the evaluators of a task.
 *
 * @param evaluators value of the field `eval` of a task
 * @param sites URLs of the task's sites, in the order of the task file, and of no additional site
 * @throws {UnsupportedSpec} a part of the task is unknown or malformed
 * @throws {UnsupportedPattern} a regular expression is not supported
 * @throws {UnsupportedJsonPath} a JSONPath expression is not supported
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
  const unsatisfiable = [...specs.flatMap((spec) => spec.unsatisfiable ?? []), ...twoLastPages(specs, addresses)];
  return { evaluators: specs, sites: addresses, unsatisfiable };
}

/** Returns a mistake if a task expects two different pages to be the last opened page. */
function twoLastPages(specs: VerifiedSpec["evaluators"], sites: SiteAddresses): string[] {
  if (specs.find(isAgentResponse)?.taskType !== "NAVIGATE") return [];
  const [first, ...others] = specs.flatMap((spec) =>
    isAgentResponse(spec) || spec.isForbidden || spec.expected.method !== "GET" ? [] : [spec.expected.urls],
  );
  const other = others.find((urls) => first && !haveSameBase(first, urls, sites));
  if (!first || !other) return [];
  const [one, two] = [first, other].map((urls) => urls.map(({ base }) => base).join(" or "));
  return [`expected one last opened page, but received ${one} and ${two}`];
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
