/** A task of WebArena-Verified is solved if each of its evaluators is satisfied. */
import { expect, test } from "vitest";
import {
  evaluateVerified,
  type NetworkEvent,
  parseVerified,
} from "#palestra/envs/shared/web-tasks/evaluators/verified/index.js";
import { vote } from "./verified-specs.js";

const spec = parseVerified(vote, { reddit: "http://forum.test" });
const said = (task_type: string) =>
  JSON.stringify({ task_type, status: "SUCCESS", retrieved_data: null, error_details: null });
const sent: NetworkEvent = {
  url: "http://forum.test/vote",
  method: "POST",
  status: 200,
  headers: {},
  responseHeaders: [],
  postData: null,
  responseText: null,
};

test.each([
  ["both", said("MUTATE"), [sent], [1, 1], 1],
  ["the answer alone", said("MUTATE"), [], [1, 0], 0],
  ["the request alone", said("RETRIEVE"), [sent], [0, 1], 0],
  ["neither", "done", [], [0, 0], 0],
])("%s", (_, answer, events, scores, score) => {
  const evaluation = evaluateVerified(spec, { answer, events });
  expect(evaluation.results.map((result) => result.score)).toEqual(scores);
  expect(evaluation.score).toBe(score);
});
