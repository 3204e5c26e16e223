/** The definition of an environment that consists of the user's own task files. */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { z } from "zod";
import type { ObjectSchema } from "../env.js";
import { namedChoice } from "./named-choice.js";
import { Piece } from "./reward/pieces.js";

/** Longest delay of a Node.js timer in milliseconds. */
export const longestTimerMs = 2 ** 31 - 1;
const timeoutMs = z.int().min(1).max(longestTimerMs);
const path = z.string().min(1);
const texts = z.record(z.string(), z.string()).default({});
const mcpTimeoutMs = timeoutMs.default(30_000);

const McpServer = z.union([
  z.strictObject({ url: z.url(), headers: texts, only: z.array(z.string()).optional(), timeoutMs: mcpTimeoutMs }),
  z.strictObject({
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: texts,
    only: z.array(z.string()).optional(),
    timeoutMs: mcpTimeoutMs,
    processes: z.int().min(1).max(10_000).default(64),
  }),
]);

const HttpTool = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_]*$/, "expected a name of lower-case letters, digits and underscores"),
  description: z.string().min(1),
  parameters: z.looseObject({ type: z.literal("object") }) as unknown as z.ZodType<ObjectSchema>,
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).default("GET"),
  url: z.string().regex(/^https?:\/\//, "expected http:// or https://"),
  headers: texts,
  body: z.unknown().optional(),
  timeoutMs: timeoutMs.default(10_000),
});

const machine = z.strictObject({ timeoutMs: timeoutMs.default(10_000) });
const search = z.strictObject({ source: z.string().default("bundled"), passages: z.int().min(1).max(50).default(3) });
const sql = z.strictObject({
  database: path.describe("A SQLite file, relative to the file that names it."),
  queryMs: timeoutMs.default(2_000).describe("Milliseconds of one call."),
  rows: z.int().min(1).max(10_000).default(50).describe("Rows of a query that are shown."),
});

/** Schema of a tool, which is given as a name or as a name with settings. */
const ToolChoice = z.preprocess(
  (given) => {
    if (typeof given !== "string") return given;
    return given.startsWith("mcp:") ? { mcp: serverOf(given.slice("mcp:".length)) } : { [given]: {} };
  },
  namedChoice("a tool", {
    calculate: z.strictObject({}),
    python: machine,
    shell: machine,
    search,
    sql,
    http: HttpTool,
    mcp: McpServer,
  }),
);
export type ToolChoice = z.output<typeof ToolChoice>;

export const Tools = z.array(ToolChoice);

const rewardFacts = {
  rewardRange: z
    .tuple([z.number(), z.number()])
    .refine(([low, high]) => low <= high, "expected [lowest reward, highest reward], the lower number first")
    .optional(),
  solvedReward: z.number().optional(),
};
const RewardFacts = z.strictObject(rewardFacts);

export const Definition = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/, "expected an id of lower-case letters, digits and dashes"),
  version: z.int().min(1).default(1).describe("Raised with every change of tasks, tools or reward."),
  summary: z.string().optional(),
  tasks: z
    .union([path.transform((file) => ({ train: file }) as Record<string, string>), z.record(z.string(), path)])
    .describe("A JSONL file, or one for each split, by its name."),
  prompt: z.string().optional().describe("Instructions, above the list of actions."),
  tools: z.unknown().default([]).describe("A list of tools, or a JSON file with one."),
  reward: z.unknown().default({ exact: {} }).describe("A file with a function, a JSON file with a piece, or a piece."),
  ...rewardFacts,
  rewardVariables: z
    .array(z.string())
    .default([])
    .describe("Names of environment variables that the reward function gets beyond the usual ones, such as a key."),
  maxSteps: z.int().min(1).max(100_000).default(20),
  limits: z
    .strictObject({
      rewardMs: timeoutMs.default(10_000).describe("Milliseconds that the reward of one answer may take."),
      rewardMemoryMb: z.int().min(32).default(512).describe("Memory of one process of the reward function."),
      rewardProcesses: z.int().min(1).max(64).default(2),
    })
    .prefault({}),
  sums: z
    .record(z.string(), z.string())
    .optional()
    .describe("SHA-256 of task files, where they must not have changed."),
});
type Given = z.output<typeof Definition>;
/** A checked definition. All paths are absolute, and the content of each JSON file replaces its path. */
export type Definition = Omit<Given, "tools" | "reward"> & { tools: ToolChoice[]; reward: string | Piece };

/** Thrown if the definition of an environment is invalid. */
export class BadDefinition extends Error {
  override readonly name = "BadDefinition";
}

/**
 * Reads a definition.
 *
 * @param entry path of a JSON file, or a definition as JSON text. Paths in a file are relative to the folder of the
 *   file; paths in JSON text are absolute.
 * @throws {BadDefinition}
 */
export function definitionOf(entry: string): Definition {
  const isText = entry.startsWith("{");
  const folder = isText ? "/" : dirname(resolve(entry));
  const where = isText ? "the options --tasks, --tools and --reward" : entry;
  const given = isText ? JSON.parse(entry) : readJson(entry);
  const { tasks, tools, reward, ...rest } = checked(Definition, { id: idIn(given, entry), ...given }, where);
  const absolute = (file: string) => resolve(folder, file);
  return {
    ...rest,
    tasks: Object.fromEntries(Object.entries(tasks).map(([split, file]) => [split, absolute(file)])),
    tools:
      typeof tools === "string"
        ? located(checked(Tools, readJson(absolute(tools)), absolute(tools)), dirname(absolute(tools)))
        : located(checked(Tools, tools, where, "tools"), folder),
    reward: typeof reward === "string" ? rewardIn(absolute(reward)) : checked(Piece, reward, where, "reward"),
  };
}

/**
 * Adds the facts that the reward file exports, such as `rewardRange`, unless the definition states them itself.
 *
 * @throws {BadDefinition}
 */
export function withRewardFacts(definition: Definition, facts: unknown): Definition {
  return { ...checked(RewardFacts, facts, String(definition.reward)), ...definition };
}

/** Returns the tools with absolute paths of their databases. */
function located(tools: readonly ToolChoice[], folder: string): ToolChoice[] {
  return tools.map((choice) =>
    "sql" in choice ? { sql: { ...choice.sql, database: resolve(folder, choice.sql.database) } } : choice,
  );
}

/**
 * Returns the built-in piece that a JSON file contains, or the path of a file with a reward function. The function
 * itself is checked later, when the file is loaded.
 */
function rewardIn(file: string): string | Piece {
  return file.endsWith(".json") ? checked(Piece, readJson(file), file) : file;
}

/** @throws {BadDefinition} the reward file does not exist */
export function checkRewardFile({ reward }: Definition): void {
  if (typeof reward === "string" && !existsSync(reward))
    throw new BadDefinition(`expected the path of a reward file, but received ${reward}, which does not exist`);
}

/** Validates a value. @param field name of the field, if `given` is one field of a definition */
function checked<T>(schema: z.ZodType<T>, given: unknown, where: string, field?: string): T {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = [...(field === undefined ? [] : [field]), ...(issue?.path ?? [])].join(".");
  const at = path === "" ? "" : ` at ${path}`;
  throw new BadDefinition(
    `expected a valid definition of an environment in ${where}, but received${at}: ${issue?.message}`,
  );
}

// biome-ignore lint/suspicious/noExplicitAny: the file may hold any JSON
function readJson(file: string): any {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new BadDefinition(`expected JSON in ${file}, but received: ${(error as Error).message}`);
  }
}

/**
 * Returns the default id of a definition, made from the name of the definition's file or of the task file:
 * `my_tasks.jsonl` gives `my-tasks`.
 */
function idIn({ tasks }: { tasks?: unknown }, entry: string): string {
  const file = entry.startsWith("{") && typeof tasks === "string" ? tasks : entry;
  const stem = basename(file).replace(/\.[^.]*$/, "");
  return stem
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+|-$/g, "");
}

/** Reads the settings of an MCP server from a URL, or from a command with arguments. */
function serverOf(text: string): object {
  if (/^https?:\/\//.test(text)) return { url: text };
  const [command, ...args] = text.trim().split(/\s+/);
  return { command, args };
}
