/** The user played by a model at an OpenAI-compatible endpoint, with tau2-bench's guidelines. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { JsonValue } from "../../env.js";
import { ServiceFailed } from "../../errors.js";
import { postChat } from "../../shared/chat-endpoint/post-chat.js";
import { hasText, type Message } from "../episode/message.js";
import type { Tau2Task } from "../episode/task.js";
import type { World } from "../episode/world.js";
import { readJson } from "../python/read.js";
import { jsonText } from "../python/text.js";
import type { Dict } from "../python/value.js";
import { schemaOf } from "../tools.js";
import type { User, UserTurn } from "./user.js";

/** Environment variables of the endpoint. */
export const variables = { url: "PALESTRA_USER_URL", model: "PALESTRA_USER_MODEL", key: "PALESTRA_USER_KEY" } as const;
const timeoutMs = 120_000;
const mostShown = 200;

export function hasModelUser(): boolean {
  return Boolean(process.env[variables.url] && process.env[variables.model]);
}

const call = z.object({ function: z.object({ name: z.string(), arguments: z.string() }) });
const completion = z.object({
  choices: z
    .array(z.object({ message: z.object({ content: z.string().nullish(), tool_calls: z.array(call).nullish() }) }))
    .min(1),
});
type Reply = z.infer<typeof completion>["choices"][number]["message"];

/** Records what a service outside the gym has answered. */
export type Record = <T extends JsonValue>(ask: () => Promise<T>) => Promise<T>;

/**
 * Returns a user whose replies are recorded, so that a replay does not ask again.
 *
 * @param data folder with tau2-bench's data, whose guidelines the model gets
 */
export function modelUser(data: string, task: Tau2Task, world: World, record: Record): User {
  const tools = toolsOf(task, world);
  const system = systemPrompt(data, task, tools.length > 0);
  return {
    opens: false,
    async next(messages, signal) {
      const body = {
        messages: [{ role: "system", content: system }, ...seenByUser(messages)],
        temperature: 0,
        ...(tools.length > 0 && { tools }),
      };
      const told = await record(async () => asJson(await asked(body, signal)));
      return turnOf(told as { content: string | null; calls: [string, string][] });
    },
  };
}

function toolsOf({ userTools }: Tau2Task, world: World) {
  const own = Object.entries(world.domain.user?.tools.tools ?? {});
  const given = userTools ? own.filter(([name]) => userTools.includes(name)) : own;
  return given.map(([name, tool]) => ({
    type: "function",
    function: { name, description: tool.description, parameters: schemaOf(tool) },
  }));
}

function systemPrompt(data: string, { persona, instructions }: Tau2Task, hasTools: boolean): string {
  const file = hasTools ? "simulation_guidelines_tools.md" : "simulation_guidelines.md";
  const guidelines = readFileSync(join(data, "tau2", "user_simulator", file), "utf8").replaceAll(
    "<PERSONA_GUIDELINES>",
    "",
  );
  const parts = [
    ...(persona === undefined ? [] : ["Persona:", indented(persona)]),
    "Instructions:",
    indented(scenarioOf(instructions)),
  ];
  return `${guidelines.trim()}\n\n<scenario>\n${parts.join("\n")}\n</scenario>`;
}

/** Titles of the parts of a scenario, in tau2-bench's order. */
const titles = {
  domain: "Domain",
  reason_for_call: "Reason for call",
  known_info: "Known info",
  unknown_info: "Unknown info",
  task_instructions: "Task instructions",
} as const;

function scenarioOf(instructions: string | Dict): string {
  if (typeof instructions === "string") return instructions;
  const parts = Object.entries(titles).flatMap(([name, title]) => {
    const part = instructions.get(name);
    if (typeof part !== "string") return [];
    return name === "domain" ? [`${title}: ${part}`] : [`${title}:`, indented(part)];
  });
  return parts.join("\n");
}

function indented(text: string): string {
  return text.replace(/^(?=.*\S)/gm, "\t");
}

/** Returns the conversation from the user's side: the user is the model, and does not see the agent's calls. */
function seenByUser(messages: readonly Message[]): JsonValue[] {
  return messages.flatMap((message): JsonValue[] => {
    if (message.role === "tool")
      return message.requestor === "user" ? [{ role: "tool", tool_call_id: message.id, content: message.content }] : [];
    if (message.role === "assistant")
      return hasText(message) && !message.calls ? [{ role: "user", content: message.content }] : [];
    const calls = message.calls?.map(({ id, name, arguments: args }) => ({
      id,
      type: "function",
      function: { name, arguments: jsonText(args) },
    }));
    return [{ role: "assistant", content: message.content, ...(calls && { tool_calls: calls }) }];
  });
}

function asJson({ content, tool_calls }: Reply): JsonValue {
  const calls = (tool_calls ?? []).map(({ function: { name, arguments: args } }): JsonValue => [name, args]);
  return { content: content ?? null, calls };
}

function turnOf({ content, calls }: { content: string | null; calls: [string, string][] }): UserTurn {
  if (calls.length === 0) return { content };
  return { content: null, calls: calls.map(([name, args]) => ({ name, arguments: argumentsIn(args) })) };
}

function argumentsIn(text: string): Dict {
  const value = readJson(text === "" ? "{}" : text);
  return value instanceof Map ? value : new Map();
}

/** @throws {ServiceFailed} the endpoint does not answer, or its reply is empty */
async function asked(body: object, signal: AbortSignal): Promise<Reply> {
  const { [variables.url]: url = "", [variables.model]: model, [variables.key]: key } = process.env;
  const endpoint = { url: url.replace(/\/+$/, ""), key };
  const { status, text } = await postChat(endpoint, { model, ...body }, signal, timeoutMs);
  const parsed = status === 200 ? completion.safeParse(jsonOf(text)) : undefined;
  const reply = parsed?.data?.choices[0]?.message;
  if (reply && (reply.tool_calls?.length || reply.content?.trim()) && callsAreRead(reply)) return reply;
  throw new ServiceFailed("a reply of the model that plays the user", `${status}: ${text.slice(0, mostShown)}`);
}

function callsAreRead({ tool_calls }: Reply): boolean {
  return (tool_calls ?? []).every(({ function: { arguments: args } }) => args === "" || jsonOf(args) !== undefined);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
