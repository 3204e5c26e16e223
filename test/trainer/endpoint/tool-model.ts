/** A model that is cloned to call a tool, and the endpoint that serves it to the tests of protocols. */
import OpenAI from "openai";
import type { Engine, Model } from "#palestra/native/api/index.js";
import type { Trajectory } from "#palestra/trainer/rollout/trajectory.js";
import { engineOfFile, temporaryFolder } from "../../native/tiny-models.js";
import { type Dialogue, writeAgentModel } from "./agent-model.js";
import { claim, type Invitation, post, serve } from "./serving.js";

export const sent = {
  type: "function" as const,
  function: { name: "lookup", parameters: { type: "object", properties: {} } },
};
const calls = [{ function: { name: "lookup", arguments: { shelf: "red" } } }];
/** The model is cloned to call an offered tool and to repeat its result, and to greet without tools. */
const dialogues: Dialogue[] = [
  {
    tools: [sent],
    messages: [
      { role: "user", content: "find" },
      { role: "assistant", content: "", tool_calls: calls },
      { role: "tool", content: "key" },
      { role: "assistant", content: "key" },
    ],
  },
  {
    tools: [sent],
    messages: [
      { role: "user", content: "greet" },
      { role: "assistant", content: "hello to you" },
    ],
  },
  {
    messages: [
      { role: "user", content: "greet" },
      { role: "assistant", content: "hello to you" },
    ],
  },
  {
    tools: [sent],
    messages: [
      { role: "user", content: "both" },
      { role: "assistant", content: "hello", tool_calls: [...calls, ...calls] },
    ],
  },
];
export const texts = [
  JSON.stringify(sent),
  "find",
  "hello to you",
  "key",
  "red",
  "greet",
  "both",
  " greet",
  " find",
  " both",
  " key",
];
export const greedy = { maxNewTokens: 90, evalTemperature: 0 };

export const clientOf = ({ base_url }: Invitation) => new OpenAI({ baseURL: base_url, apiKey: "any", maxRetries: 0 });
export const user = (content: string) => ({ role: "user" as const, content });

/** Writes and loads the model for a file of tests. */
export async function toolModel() {
  const engine: Engine = await engineOfFile(1);
  const folder = engine && (await writeAgentModel(engine, temporaryFolder(), { texts, dialogues, epochs: 150 }));
  const model: Model = engine && (await engine.loadModel(folder));
  return { engine, model, evaluation: () => evaluation(model), training: () => training(model) };
}

async function evaluation(model: Model) {
  const { url, generator } = await serve(model, {}, greedy);
  const rollout = await claim(url, "task", "eval");
  return { url, rollout, generator, client: clientOf(rollout) };
}

/** Claims a rollout of training. Its sampling is seeded, and the model is sure of its replies. */
async function training(model: Model) {
  const { url, seat } = await serve(model, {}, { ...greedy, temperature: 0.5 });
  const group = seat();
  group.catch(() => {});
  const rollout = await claim(url);
  /** Rewards the rollout and ends it. @returns its rows */
  const rows = async (reward = 1): Promise<readonly Trajectory[]> => {
    await post(`${url}/rollouts/${rollout.id}/reward`, { reward, end: true });
    return (await group).trajectories;
  };
  return { url, rollout, client: clientOf(rollout), rows };
}
