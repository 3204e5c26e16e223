/** Environments behind OpenEnv's protocol: a WebSocket session for each episode. */
import type { JsonValue, ResetRequest, ResetResult, StepResult } from "../env.js";
import { isObject, type JsonObject, Server } from "./calls.js";
import type { Mount } from "./mount.js";
import { type ActionForm, actionForm, messageOf, observationText, promptFor } from "./openenv-forms.js";
import { OpenenvSession, RefusedAction } from "./openenv-session.js";
import { anySeed, type Facts, type Kind, type RemoteEpisode } from "./remote.js";

const defaultSteps = 100;

interface Details {
  form: ActionForm;
  /** Whether tasks are chosen by split and index, and not by seed. */
  hasTasks: boolean;
}

export const openenv: Kind = {
  assume: ({ name, address }) => ({
    identity: `openenv ${new Server(address).place}`,
    title: `${name}, served by OpenEnv's protocol`,
    splits: { seeds: anySeed },
    maxSteps: defaultSteps,
    prompt: "Reply with one action that the observation allows.",
    tools: [],
    details: null,
  }),
  async discover(mount, signal) {
    const server = new Server(mount.address);
    const schema = await server.call("GET", "schema", undefined, signal);
    if (!isSchema(schema)) throw server.failed("schema", JSON.stringify(schema));
    const metadata = await server.tryCall("GET", "metadata", undefined, signal);
    const tools = isToolSchema(schema.action) ? await listTools(server, signal) : [];
    const splits = await splitsOf(server, signal);
    const form = actionForm(schema.action, tools);
    const { name = mount.name, description = "", version = "" } = isObject(metadata) ? metadata : {};
    const identity = JSON.stringify(["openenv", server.place, name, version, schema.action, tools]);
    return {
      identity,
      title: `${oneLine(name).replace(/[.!?]+ /g, " ")}, served by OpenEnv's protocol`,
      splits: splits ?? { seeds: anySeed },
      maxSteps: defaultSteps,
      prompt: promptFor(form, oneLine(description)),
      tools: form.tools,
      details: { form, hasTasks: splits !== undefined } as unknown as JsonValue,
    } satisfies Facts;
  },
  async check(mount, signal) {
    await new Server(mount.address).call("GET", "health", undefined, signal);
  },
  open: (mount, { details }) => new OpenenvEpisode(mount, details as unknown as Details),
};

/** Whether a reply to `GET /schema` is the one of an OpenEnv server. */
export function isSchema(reply: JsonValue | undefined): reply is { action: JsonObject; observation: JsonObject } {
  return isObject(reply) && isObject(reply.action) && isObject(reply.observation);
}

/** Titles of the action schemas of environments whose actions are calls of tools. */
function isToolSchema({ title }: JsonObject): boolean {
  return title === "Action" || title === "CallToolAction" || title === "ListToolsAction";
}

async function listTools(server: Server, signal: AbortSignal): Promise<JsonObject[]> {
  const request = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const reply = await server.tryCall("POST", "mcp", request, signal);
  const { tools } = isObject(reply) && isObject(reply.result) ? reply.result : {};
  return Array.isArray(tools) ? tools.filter(isObject) : [];
}

/** Returns the sizes of the splits, or undefined if the server has no tasks to choose from. */
async function splitsOf(server: Server, signal: AbortSignal): Promise<Record<string, number> | undefined> {
  const names = await server.tryCall("GET", "list_environments", undefined, signal).catch(() => undefined);
  const [name] = Array.isArray(names) ? names : [];
  if (typeof name !== "string") return undefined;
  const path = encodeURIComponent(name);
  const splits = await server.tryCall("GET", `${path}/splits`, undefined, signal);
  if (!Array.isArray(splits)) return undefined;
  const sizes: Record<string, number> = {};
  for (const split of splits) {
    const splitName = isObject(split) ? split.name : split;
    if (typeof splitName !== "string" || !/^[\w.-]+$/.test(splitName)) continue;
    const reply = await server.tryCall("POST", `${path}/num_tasks`, { split: splitName }, signal);
    const count = isObject(reply) ? reply.num_tasks : undefined;
    if (typeof count === "number" && Number.isSafeInteger(count) && count > 0) sizes[splitName] = count;
  }
  return Object.keys(sizes).length > 0 ? sizes : undefined;
}

class OpenenvEpisode implements RemoteEpisode {
  private readonly server: Server;
  private session: OpenenvSession | undefined;

  constructor(
    private readonly mount: Mount,
    private readonly details: Details,
  ) {
    this.server = new Server(mount.address);
  }

  async reset({ task, seed }: ResetRequest, signal: AbortSignal): Promise<ResetResult> {
    this.session ??= await OpenenvSession.open(this.server, signal);
    const { split, index } = task;
    const chosen = this.details.hasTasks ? { split, index, seed } : { seed: index };
    const { observation } = await this.session.ask("reset", chosen, signal);
    return { ...this.shown(observation), info: {} };
  }

  async step(action: string, signal: AbortSignal): Promise<StepResult> {
    const message = messageOf(this.details.form, action);
    if ("wrong" in message) return wrongAction(message.wrong);
    try {
      const { observation, reward, done } = await (this.session as OpenenvSession).ask("step", message.data, signal);
      return { ...this.shown(observation), reward, terminated: done, truncated: false, info: {} };
    } catch (error) {
      if (error instanceof RefusedAction) return wrongAction(error.message);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.session?.close();
    this.session = undefined;
  }

  private shown(observation: JsonValue) {
    return observationText(observation, this.mount.options.text);
  }
}

/** An action that the server does not understand is a step that changes nothing. */
function wrongAction(wrong: string): StepResult {
  return { observation: `Error: ${wrong}`, reward: 0, terminated: false, truncated: false, info: {} };
}

function oneLine(text: JsonValue): string {
  return String(text ?? "")
    .replace(/\s+/g, " ")
    .trim();
}
