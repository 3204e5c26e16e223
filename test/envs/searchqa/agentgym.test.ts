/** Compares SearchQA with replies of AgentGym's server, recorded by test/peers/searchqa-agentgym.py. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { SearchQa } from "#palestra/envs/searchqa/env.js";
import { RetrieveServer } from "#palestra/envs/shared/retrieval/remote/retrieve-server.js";
import { TestRetrieveServer } from "../../support/retrieve-server.js";

interface Case {
  question: string;
  golden: string[];
  documents: { id: string; contents: string }[];
  opening: string;
  steps: { action: string; observation: string; reward: number; done: boolean }[];
}

const recorded = new URL("../../fixtures/searchqa/agentgym.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(recorded, "utf8")) as { cases: Case[] };
const signal = new AbortController().signal;
const request = { task: { split: "test", index: 0 }, seed: 0, options: { answers: "retry", reward: "exact" } };

describe("AgentGym's SearchQA", () => {
  test("has the same replies to 120 questions, over a retrieval server", async () => {
    let documents: Case["documents"] = [];
    const server = await TestRetrieveServer.giving(() => documents);
    const source = new RetrieveServer(server.url);
    let steps = 0;
    for (const one of cases) {
      documents = one.documents;
      const question = { id: "0", question: one.question, golden: one.golden, metadata: {} };
      const environment = new SearchQa({ record: (ask) => ask() }, () => ({ question, source }));
      expect((await environment.reset(request)).observation).toBe(one.opening);
      for (const { action, ...expected } of one.steps) {
        const { observation, reward, terminated } = await environment.step(action, signal);
        expect({ observation, reward, done: terminated }, action).toEqual(expected);
        steps += 1;
      }
    }
    await source.close();
    expect(steps).toBeGreaterThanOrEqual(300);
  });

  test("ends with the first answer under `answers: once`, and pays F1 under `reward: f1`", async () => {
    const question = { id: "0", question: "Who?", golden: ["Ada Lovelace"], metadata: {} };
    const source = { search: async () => [], open: async () => null, close: async () => {} };
    const environment = new SearchQa({ record: (ask) => ask() }, () => ({ question, source }));
    await environment.reset({ ...request, options: { answers: "once", reward: "f1" } });
    expect(await environment.step("<answer>Ada</answer>", signal)).toMatchObject({
      reward: 2 / 3,
      terminated: true,
      info: { exact: false, f1: 2 / 3 },
    });
  });
});
