/** Descriptions of an environment that OpenEnv's clients and its validator read. */
import { z } from "zod";
import type { AnyEnvironmentSpec } from "../../../../envs/env.js";
import { versionedId } from "../../../../envs/registry.js";
import { version as palestraVersion } from "../../../version.js";
import { Observation, ResetData, Result, State, StepBody, TextAction } from "./schemas.js";

export function metadataOf({ id, summary, prompt, version }: AnyEnvironmentSpec) {
  const readme = `# ${id}\n\n${summary}\n\n${prompt}\n`;
  const nothing = { author: null, documentation_url: null };
  return { name: id, description: summary, readme_content: readme, version: String(version), ...nothing };
}

/** Clients show the schema of actions to the model, which need not know of the index. */
const shownAction = TextAction.omit({ index: true }).meta({ title: "PalestraAction" });

const described = { action: shownAction, observation: Observation, state: State, reset: ResetData };
let known: Record<keyof typeof described, object> | undefined;

/** Returns the JSON Schemas of an environment's messages, which are made at the first call. */
export function schemas(): Record<keyof typeof described, object> {
  const entries = () =>
    Object.entries(described).map(([name, schema]) => [name, z.toJSONSchema(schema, { io: "input" })]);
  known ??= Object.fromEntries(entries()) as Record<keyof typeof described, object>;
  return known;
}

/** OpenEnv's version of the protocol. Its validator derives the profile `openenv-http/1.x` from it. */
const protocolVersion = "1.0.0";

/** Returns the OpenAPI document of one environment's routes. */
export function openapiOf(spec: AnyEnvironmentSpec) {
  const { id, summary } = spec;
  const json = (schema: z.ZodType) => ({ "application/json": { schema: z.toJSONSchema(schema, { io: "input" }) } });
  const replies = { 200: { description: "The result.", content: json(Result) } };
  const get = (text: string) => ({ get: { summary: text, responses: { 200: { description: text } } } });
  const post = (text: string, body: z.ZodType, responses: object = replies) => ({
    post: { summary: text, requestBody: { content: json(body) }, responses },
  });
  return {
    openapi: "3.1.0",
    info: {
      title: `${versionedId(spec)} of Palestra ${palestraVersion}`,
      version: protocolVersion,
      description: `${id}: ${summary}`,
    },
    paths: {
      "/health": get("Says that the environment is served."),
      "/metadata": get("Returns the name and a description."),
      "/schema": get("Returns the schemas of actions, observations and states."),
      "/state": get("Returns the state of the episode in the query."),
      "/reset": post("Opens an episode.", ResetData),
      "/step": post("Takes one step of an episode.", StepBody),
      "/mcp": post("Answers a JSON-RPC request.", z.object({}), { 200: { description: "A JSON-RPC response." } }),
    },
  };
}
