/** Remedies for failures of episodes. */
import type { TrajectoryFailure } from "../rollout/trajectory.js";

const byCode: Readonly<Record<string, string>> = {
  POLICY_TIMEOUT: "Raise --timeout, or lower --concurrency or --max-tokens.",
  POLICY_UNREACHABLE: "Start the policy server, or correct the URL in --policy.",
  POLICY_REPLY:
    "Set --policy to the URL of an OpenAI-compatible server, such as openai:http://127.0.0.1:8000/v1#model.",
  EXPERT_MISSING: "Choose another --policy for this environment.",
  ACTION_UNSAYABLE: "Choose another --format.",
  NO_ACTIONS: "Choose another --policy for this environment.",
  POLICY_NOT_FINITE: "Train or convert the model again, or use --dtype f32: it computes values that are not finite.",
  NATIVE_OUT_OF_MEMORY: "Lower --concurrency, or use a smaller model.",
  GYM_UNREACHABLE: "Start the gym with `palestra serve`, or leave --gym out to start one for this run.",
  GYM_TIMEOUT: "Lower --concurrency, or give the gym more cores.",
  GYM_REPLY: "Set --gym to the URL of a Palestra gym, or --agentgym to the URL of an AgentGym server.",
  GYM_REFUSED: "Set GYM_TOKEN to a token of the gym.",
  RIGHT_MISSING: "Set GYM_TOKEN to a token with the right, made by `palestra token create --name NAME --expert`.",
};

const byClass: Readonly<Record<TrajectoryFailure["class"], string>> = {
  action: "Correct the request as the gym's message describes.",
  agent: "Look at the agent's log.",
  capacity: "Lower --concurrency, or raise the gym's limits.",
  environment: "The environment has a bug: `palestra check ENVIRONMENT` may show it.",
  infrastructure: "Look at the gym's log, and run the same command again.",
  policy: "Read the policy's message, and run the same command again.",
};

/** Returns the remedy for a failure, in one or two sentences. */
export function remedyOf({ class: failureClass, code, status, message }: TrajectoryFailure): string {
  if (code === "POLICY_REFUSED" && status !== undefined) return refusalRemedy(status, message);
  return byCode[code] ?? byClass[failureClass];
}

function refusalRemedy(status: number, message: string): string {
  if (status === 401 || status === 403) {
    const set = process.env.OPENAI_API_KEY ? "has a key that the server does not accept" : "is not set";
    return `OPENAI_API_KEY ${set}: set it to a key of the server in --policy.`;
  }
  if (status === 402 || /insufficient_quota|exceeded your current quota/.test(message)) {
    return "Add credit to the account at the policy server.";
  }
  if (/model/i.test(message) && status < 429) return "Correct the model's name, which follows # in --policy.";
  if (status === 404 || status === 405 || status === 410) {
    return "Correct the URL in --policy: for most servers it ends with /v1.";
  }
  if (status === 429) return "Lower --concurrency, or ask for a higher rate limit.";
  if (status >= 500) return "Look at the policy server's log, or lower --concurrency.";
  return "Change what the server refuses: --max-tokens, --temperature, --format and --dialogue shape the request.";
}
