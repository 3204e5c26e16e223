/** The endpoint for people and desktops: it opens, plays and ends episodes of every environment. */
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { namesOf, requestOf } from "../../../adapter/create-request.js";
import type { Move } from "../../../adapter/moves.js";
import { type Played, play, promptOfEpisode, readPlayed, toolsOfEpisode } from "../../../adapter/play.js";
import type { Client } from "../../../episodes/episode/client.js";
import { pageOf, specOf, splitOf } from "../../../episodes/episode/tasks.js";
import type { Caller, Gym } from "../../../episodes/gym.js";
import { GymError } from "../../../errors.js";
import { CreateBody, PromptedFormat } from "../../../operations/schemas/episode.js";
import { parse } from "../../validation.js";
import { failedResult, observationBlocks, readResource, type Told, type ToolHandler, text } from "./handler.js";

const { seed, options } = CreateBody.shape;
const { split, index } = CreateBody.shape.task.shape;
const environment = z.string().max(200).describe("Name of an environment, from list_environments.");
const episode = z.string().max(64).describe("Handle from start_episode. It is valid until end_episode.");

interface Operation<Given = never> {
  description: string;
  given: z.ZodType<Given>;
  run(gym: Gym, owner: string, given: Given, client: Client): Promise<CallToolResult>;
}

const operation = <Given>(parts: Operation<Given>): Operation => parts as unknown as Operation;

const operations: Record<string, Operation> = {
  list_environments: operation({
    description: "Lists the environments with their splits.",
    given: z.strictObject({}),
    async run(gym) {
      const names = namesOf(gym.registry);
      const lines = gym.registry.list().map(({ summary, splits }, i) => {
        const sizes = Object.entries(splits).map(([name, { size }]) => `${name} (${size} tasks)`);
        return `${names[i]}: ${summary} Splits: ${sizes.join(", ")}.`;
      });
      return { content: [text(lines.join("\n"))], structuredContent: { environments: names } };
    },
  }),

  list_tasks: operation({
    description: "Lists tasks of a split.",
    given: z.strictObject({
      environment,
      split,
      from: z.int().min(0).default(0),
      limit: z.int().min(1).max(200).default(50),
    }),
    async run(gym, _owner, given) {
      const { tasks } = await pageOf(
        splitOf(specOf(gym.registry, given.environment), given.split),
        given.from,
        given.limit,
      );
      const lines = tasks.map(({ split, index, title }) => `${split}:${index} ${title}`);
      return { content: [text(lines.join("\n"))], structuredContent: { tasks } };
    },
  }),

  start_episode: operation({
    description: "Starts an episode, and returns its handle, its instructions and the first observation.",
    given: z.strictObject({
      environment,
      split,
      index: index.optional(),
      seed,
      options,
      format: PromptedFormat.optional(),
    }),
    async run(gym, owner, { environment: name, ...wanted }, client) {
      const request = requestOf(specOf(gym.registry, name), wanted);
      const played = await readPlayed(gym, await gym.create(owner, request, { client }));
      const tools = toolsOfEpisode(played.episode).map(
        ({ name, description, parameters }) => `${name} ${JSON.stringify(parameters.properties ?? {})}: ${description}`,
      );
      const head = text(
        `Episode ${played.episode.row.id}\n\n${promptOfEpisode(played.episode)}\n\nTools for call_tool:\n${tools.join("\n")}`,
      );
      return { content: [head, ...observationBlocks(played.newest)], structuredContent: stateOf(played) };
    },
  }),

  act: operation({
    description: "Takes an action as text, and returns what is observed after it.",
    given: z.strictObject({ episode, action: z.string() }),
    run: (gym, owner, given) => step(gym, owner, given.episode, given.action),
  }),

  call_tool: operation({
    description: "Takes an action by calling a tool of the environment, and returns what is observed after it.",
    given: z.strictObject({
      episode,
      tool: z.string().max(200),
      arguments: z.record(z.string(), z.unknown()).default({}),
    }),
    run: (gym, owner, given) => step(gym, owner, given.episode, { name: given.tool, arguments: given.arguments }),
  }),

  end_episode: operation({
    description: "Ends an episode. Its transcript is kept.",
    given: z.strictObject({ episode }),
    async run(gym, owner, given) {
      await (await gym.find(owner, given.episode)).close();
      return { content: [text("The episode is closed.")] };
    },
  }),
};

async function step(gym: Gym, owner: string, id: string, move: Move): Promise<CallToolResult> {
  const played = await play(gym, owner, await gym.find(owner, id), move);
  return { content: observationBlocks(played.newest), structuredContent: stateOf(played) };
}

function stateOf({ episode, newest }: Played) {
  const { observation, reward, terminated, truncated } = newest;
  return { episode: episode.row.id, step: episode.steps, observation, reward, done: terminated || truncated };
}

let known: Tool[] | undefined;

/** Returns the tools of the gym, which are described at the first call. */
function describedTools(): Tool[] {
  known ??= Object.entries(operations).map(([name, { description, given }]) => ({
    name,
    description,
    inputSchema: z.toJSONSchema(given, { io: "input" }) as Tool["inputSchema"],
  }));
  return known;
}

export class GymHandler implements ToolHandler {
  readonly instructions =
    "A gym with many environments. Start an episode with start_episode, play it with act or call_tool until it is done, and close it with end_episode.";

  constructor(
    private readonly gym: Gym,
    private readonly caller: Caller,
    private readonly client: Client,
    private readonly told: Told,
  ) {}

  tools(): Tool[] {
    return describedTools();
  }

  async call(name: string, given: Record<string, unknown>): Promise<CallToolResult> {
    try {
      const called = Object.hasOwn(operations, name) ? operations[name] : undefined;
      if (!called)
        throw new GymError("REQUEST_INVALID", `one of the tools ${Object.keys(operations).join(", ")}`, name);
      const parsed = parse(called.given, given);
      if (!parsed.success) throw invalidArguments(name, parsed.error);
      return await called.run(this.gym, this.caller.owner, parsed.data, this.client);
    } catch (error) {
      return failedResult(error as Error, this.told);
    }
  }

  resources() {
    return [];
  }

  read(uri: string) {
    return readResource(this.gym, this.caller.owner, uri);
  }
}

function invalidArguments(name: string, { issues }: z.ZodError): GymError {
  const received = issues.slice(0, 10).map(({ path, message }) => `${path.map(String).join(".")}: ${message}`);
  return new GymError("REQUEST_INVALID", `arguments of ${name} that fit its schema`, received.join("; "));
}
