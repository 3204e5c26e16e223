/** Specs of WebArena-Verified's evaluators, for tasks of tests. */

/** Returns a spec of an answer that reports success. */
export const responds = (expected: object, results_schema: object = { type: "null" }) => ({
  evaluator: "AgentResponseEvaluator",
  results_schema,
  expected: { status: "SUCCESS", retrieved_data: null, ...expected },
});

/** Returns a spec of a request that the agent's session has sent. */
export const requests = (expected: object) => ({
  evaluator: "NetworkEventEvaluator",
  last_event_only: false,
  expected,
});

/** A vote in the forum, which the answer reports. */
export const vote = [
  responds({ task_type: "mutate" }),
  requests({ url: "__REDDIT__/vote", http_method: "POST", response_status: 200 }),
];
