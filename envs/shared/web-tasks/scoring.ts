/** Scores a finished episode with the evaluators of its task. */

import { ServiceFailed } from "../../errors.js";
import type { WebSession } from "../browser/web-session.js";
import { JudgeFailed } from "../llm-judge/llm-judge.js";
import type { Venue } from "./benchmark.js";
import { evaluate } from "./evaluators/evaluate.js";
import { type EvaluatorResult, evaluateVerified, parseVerified } from "./evaluators/verified/index.js";
import { NetworkRecord } from "./network-record.js";
import { outcomeOf } from "./outcome.js";
import { RetryDeadline } from "./retry-deadline.js";
import { SiteClient } from "./site-client.js";
import type { SiteUrls } from "./tasks/sites.js";
import type { WebTask } from "./tasks/web-task.js";

/** Verdict of one evaluator. */
export interface Verdict {
  type: string;
  passed: boolean;
  /** Description of the first difference, if the evaluator reports it. */
  reason?: string;
}

export interface Scoring {
  /**
   * Returns the verdicts of the evaluators. The score is 1 if all evaluators pass, else 0.
   *
   * @param answer answer in the agent's `stop` action, with the sites' real URLs, or `""`
   * @throws {ServiceFailed} the score is unknown because a site or the LLM judge failed
   * @throws {SandboxError} the sandbox failed
   * @throws the signal's reason
   */
  verdicts(answer: string, signal: AbortSignal): Promise<readonly Verdict[]>;
}

/**
 * Prepares the scoring of an episode. The caller must call this function before the first page is loaded, because some
 * evaluators read all requests.
 */
export function scoringOf(
  web: WebSession,
  { task, sites, session }: Pick<Venue, "task" | "sites" | "session">,
): Scoring {
  const { evaluation } = task;
  if (evaluation.kind === "verified") return verified(web, evaluation.evaluators, own(sites, task));
  return {
    async verdicts(answer, signal) {
      const client = new SiteClient(session.addresses);
      const outcome = await outcomeOf(web, { answer, sites, client }, signal);
      return evaluate(evaluation.spec, task.intent, outcome).catch((error: unknown) => {
        if (error instanceof JudgeFailed) throw new ServiceFailed("a verdict of the LLM judge", error.message, error);
        throw error;
      });
    },
  };
}

function verified(web: WebSession, evaluators: readonly unknown[], sites: SiteUrls): Scoring {
  const spec = parseVerified(evaluators, sites);
  const areRepliesSeen = spec.evaluators.some(
    (one) => one.evaluator === "NetworkEventEvaluator" && one.expected.response,
  );
  const record = new NetworkRecord(web.session.context, Object.values(sites), areRepliesSeen);
  return {
    async verdicts(answer, signal) {
      const deadline = new RetryDeadline(web, web.session.context.pages(), signal);
      await deadline.settled();
      let results: readonly EvaluatorResult[];
      do {
        const events = await web.session.call(() => record.events(), { signal });
        ({ results } = evaluateVerified(spec, { answer, events }));
      } while (lacksRequests(results) && (await deadline.changes()));
      return results.map(({ evaluator, score, reason }) => ({ type: evaluator, passed: score === 1, reason }));
    },
  };
}

/** Whether a later request could still make the score 1. */
function lacksRequests(results: readonly EvaluatorResult[]): boolean {
  const failed = results.filter(({ score }) => score === 0);
  return failed.length > 0 && failed.every(({ evaluator }) => evaluator === "NetworkEventEvaluator");
}

/** Returns the URLs of the task's sites, in the order of the task. */
function own(sites: SiteUrls, { sites: names }: WebTask): SiteUrls {
  return Object.fromEntries(names.flatMap((name) => (sites[name] === undefined ? [] : [[name, sites[name]]])));
}
