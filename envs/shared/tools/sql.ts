/** The tools `schema`, `table` and `query`, with which agents read a SQLite database. */
import { closeSync, openSync, readSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { Tool, ToolParameters } from "../../env.js";
import { ServiceFailed } from "../../errors.js";
import { FilePool } from "../sqlite/pool.js";
import { LimitReached } from "../sqlite/program.js";
import type { DatabaseRequest } from "../sqlite/request.js";
import type { Arguments, ToolAnswer, ToolKit } from "./tool-kit.js";

export interface SqlSettings {
  /** Absolute path of the database file. */
  database: string;
  /** Time limit of one call, in milliseconds. */
  queryMs: number;
  /** Maximum number of rows of a query's result that are shown. */
  rows: number;
}

/** Memory limit of a query, in MiB. */
const memoryMb = 256;
/** The bytes with which every SQLite file starts. */
const header = Buffer.from("SQLite format 3\0");

/**
 * Creates the kit of the tools. It runs SQL in processes that have the database open read-only and
 * that all episodes share.
 *
 * @param isFresh true to open the database once as a check; if false, a missing file fails only the steps that use the
 *   database
 * @throws {RangeError} the file does not exist, is not a SQLite database, or has no tables
 */
export async function sqlKit(settings: SqlSettings, isFresh: boolean): Promise<ToolKit> {
  const { database, queryMs } = settings;
  const pool = new FilePool(Math.min(8, Math.max(2, availableParallelism())), { queryMs, memoryMb });
  if (isFresh) await check(database);
  return {
    tools: readingTools(settings.rows, "table {table}"),
    requirements: [],
    open: () => ({
      call: (name, given, signal) => answerOf(pool, requestOf(settings, name, given), signal),
      async close() {},
    }),
  };
}

/**
 * Returns the tools that read a database.
 *
 * @param rows maximum number of rows of a query's result that are shown
 * @param tableAction template of the action that shows one table
 */
export function readingTools(rows: number, tableAction: string): Tool[] {
  return [
    {
      name: "schema",
      description: "Shows all tables of the database, with their columns and keys.",
      parameters: { type: "object", properties: {}, required: [], additionalProperties: false },
      action: "schema",
    },
    {
      name: "table",
      description: "Shows one table: its columns, the number of its rows, and the first three rows.",
      parameters: parameter("table", "Name of the table."),
      action: tableAction,
    },
    {
      name: "query",
      description: `Runs a query that reads, and shows its first ${rows} rows.`,
      parameters: parameter("sql", "One SELECT, WITH, VALUES or EXPLAIN statement of SQLite."),
      action: "query {sql}",
    },
  ];
}

/** Returns the parameters of a tool with a single text argument. */
export function parameter(name: string, description: string): ToolParameters {
  return {
    type: "object",
    properties: { [name]: { type: "string", description } },
    required: [name],
    additionalProperties: false,
  };
}

function requestOf({ database, rows }: SqlSettings, name: string, given: Arguments): DatabaseRequest<string> {
  if (name === "query") return { op: "query", database, sql: String(given.sql), rows };
  return { op: "describe", database, ...(name === "table" && { table: String(given.table) }) };
}

/** Runs a request. SQL errors and exceeded limits are reported to the agent as answers. */
async function answerOf(pool: FilePool, request: DatabaseRequest<string>, signal: AbortSignal): Promise<ToolAnswer> {
  try {
    const { kind, text } = (await pool.ask(request, signal)) as { kind: string; text: string };
    return { text, ...(kind === "error" && { isError: true }) };
  } catch (error) {
    if (error instanceof LimitReached) return { text: error.message, isError: true };
    signal.throwIfAborted();
    if (error instanceof ServiceFailed) throw error;
    // For example, the file was deleted after the gym started.
    throw new ServiceFailed(`a reply of the database ${request.database}`, (error as Error).message, error);
  }
}

function checkHeader(file: string): void {
  const received = Buffer.alloc(header.length);
  try {
    const descriptor = openSync(file, "r");
    try {
      readSync(descriptor, received, 0, header.length, 0);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw unusable(file, (error as Error).message);
  }
  if (!received.equals(header)) throw unusable(file, "a file that is not a SQLite database");
}

async function check(file: string): Promise<void> {
  checkHeader(file);
  const pool = new FilePool(1, { queryMs: 30_000, memoryMb });
  try {
    const sql = "SELECT 1 FROM sqlite_schema WHERE type IN ('table', 'view')";
    const answer = await pool.ask({ op: "query", database: file, sql }, new AbortController().signal);
    if (answer.kind === "error") throw new Error(answer.text);
    if (answer.rows === 0) throw new Error("a database without tables");
  } catch (error) {
    throw unusable(file, (error as Error).message);
  } finally {
    pool.close();
  }
}

function unusable(file: string, received: string): RangeError {
  const remedy = "`database` is a path relative to the file that names the tool.";
  return new RangeError(`expected a SQLite database at ${file}, but received: ${received}. ${remedy}`);
}
