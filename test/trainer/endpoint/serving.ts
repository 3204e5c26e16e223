/** A rollout endpoint for one test, with a loop that admits rollouts, and the calls that agents make. */
import { onTestFinished } from "vitest";
import type { Generator, Model } from "#palestra/native/api/index.js";
import { Endpoint, type EndpointOptions } from "#palestra/trainer/endpoint/endpoint.js";
import { PromptFormat } from "#palestra/trainer/endpoint/protocol/prompt-format.js";
import type { Group } from "#palestra/trainer/rollout/trajectory.js";

export interface Served {
  url: string;
  endpoint: Endpoint;
  generator: Generator;
  /** Admits one rollout. */
  seat(signal?: AbortSignal): Promise<Group>;
}

export async function serve(model: Model, options: Partial<EndpointOptions> = {}, chat = {}): Promise<Served> {
  const generator = await model.generator({ kvBytes: 1 << 24 });
  const tokenizer = model.tokenizer;
  if (!tokenizer) throw new Error("a model without a tokenizer");
  const endpoint = new Endpoint({
    chat: {
      format: new PromptFormat(tokenizer),
      model: "palestra",
      context: 256,
      maxNewTokens: 12,
      temperature: 1,
      topP: 1,
      sampling: "refuse",
      evalTemperature: 1,
      ...chat,
    },
    generator,
    host: "127.0.0.1",
    port: 0,
    apiKey: undefined,
    seed: 1,
    groupSize: 1,
    leaseMs: 60_000,
    waitMs: 100,
    rewardMs: 60_000,
    isTooOld: () => false,
    solvedReward: 1,
    trains: true,
    versionOf: (weights) => weights,
    say: () => {},
    progress: () => ({}),
    ...options,
  });
  const url = await endpoint.listen();
  onTestFinished(async () => {
    await endpoint.close();
    generator.close();
  });
  let number = 0;
  const seat = (signal = new AbortController().signal) => endpoint.rollouts.play({ number: number++ }, signal);
  return { url, endpoint, generator, seat };
}

export interface Invitation {
  id: string;
  base_url: string;
  [name: string]: unknown;
}

export async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: whatever the endpoint says
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

export async function claim(url: string, task = "task", mode = "train"): Promise<Invitation> {
  const { status, body } = await post(`${url}/rollouts`, { task, mode });
  if (status !== 201) throw new Error(`expected a rollout, but received ${JSON.stringify(body)}`);
  return body as Invitation;
}

// biome-ignore lint/suspicious/noExplicitAny: a message of any role
export type Messages = any[];

/** Requests a completion with its token ids. */
export async function chat({ base_url }: Invitation, messages: Messages, more: Record<string, unknown> = {}) {
  const request = { model: "any", messages, logprobs: true, return_token_ids: true, ...more };
  return post(`${base_url}/chat/completions`, request);
}
