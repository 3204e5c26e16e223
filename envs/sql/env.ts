import type { AsyncContext, AsyncEnvironment, Info, ResetRequest, ResetResult, StepResult } from "../env.js";
import { LimitReached } from "../shared/sqlite/program.js";
import type { Comparison, QueryAnswer } from "../shared/sqlite/request.js";
import { readAction } from "./actions.js";
import type { EnginePool } from "./engine/pool.js";
import type { DatabaseRef } from "./engine/request.js";
import { judge } from "./judge.js";
import { schemaNames, schemaOf } from "./schemas/index.js";
import type { SqlTask } from "./tasks.js";
import { invalid, opening, right, wrong } from "./words.js";

export interface SqlParts {
  pool: EnginePool;
  taskOf(task: ResetRequest["task"], signal: AbortSignal): Promise<SqlTask>;
}

type Answered = Pick<StepResult, "observation" | "info"> & Partial<StepResult>;

/** One episode: the agent explores a database and submits the query that answers a question about it. */
export class Sql implements AsyncEnvironment {
  /** The current task, or undefined before the first reset. */
  task: SqlTask | undefined;
  /** Names of all actions that the agent has performed so far. */
  readonly past = new Set<string>();
  /** The submitted query, and the difference from the right rows. Undefined before the submission. */
  submitted: { sql: string; why: string } | undefined;

  constructor(
    private readonly context: Pick<AsyncContext, "record">,
    private readonly parts: SqlParts,
  ) {}

  async reset({ task: ref, options }: ResetRequest, signal: AbortSignal): Promise<ResetResult> {
    const task = await this.parts.taskOf(ref, signal);
    this.task = task;
    this.past.clear();
    this.submitted = undefined;
    const shown = options.schema === "shown" ? await this.describe(undefined, signal) : undefined;
    const about = schemaNames.includes(task.schema) ? schemaOf(task.schema).about : undefined;
    const { question, family, difficulty } = task.problem;
    return { observation: opening(task, about, shown), info: { question, schema: task.schema, family, difficulty } };
  }

  async step(text: string, signal: AbortSignal): Promise<StepResult> {
    const answered = await this.answer(text, signal);
    return { reward: 0, terminated: false, truncated: false, ...answered };
  }

  async close(): Promise<void> {
    this.task = undefined;
  }

  private async answer(text: string, signal: AbortSignal): Promise<Answered> {
    const action = readAction(text);
    const { kind } = action;
    this.past.add(kind);
    if (kind === "schema") return { observation: await this.describe(action.table, signal), info: { action: kind } };
    if (kind === "query") return this.query(action.sql, signal);
    if (kind === "submit") return this.submit(action.sql, signal);
    return { observation: invalid, info: { action: kind } };
  }

  private async describe(table: string | undefined, signal: AbortSignal): Promise<string> {
    const request = { op: "describe", database: this.database, ...(table !== undefined && { table }) } as const;
    return (await this.parts.pool.ask(request, signal)).text;
  }

  /**
   * Runs a query. The reply is recorded for replay, because the query may reach its time limit, which is not
   * deterministic.
   */
  private async query(sql: string, signal: AbortSignal): Promise<Answered> {
    const answer = await this.context.record(async (): Promise<QueryAnswer> => {
      try {
        return await this.parts.pool.ask({ op: "query", database: this.database, sql }, signal);
      } catch (error) {
        if (error instanceof LimitReached) return { kind: "error", text: error.message };
        throw error;
      }
    });
    const info: Info = {
      action: "query",
      isError: answer.kind === "error",
      ...(answer.kind === "rows" && { rows: answer.rows }),
    };
    return { observation: answer.text, info };
  }

  private async submit(sql: string, signal: AbortSignal): Promise<Answered> {
    const task = this.task as SqlTask;
    const result = await this.context.record((): Promise<Comparison> => judge(this.parts.pool, task, sql, signal));
    this.submitted = { sql, why: result.equal ? "" : result.why };
    const info: Info = { action: "submit", ...result };
    return {
      observation: result.equal ? right : wrong(result.why),
      reward: result.equal ? 1 : 0,
      terminated: true,
      info,
    };
  }

  private get database(): DatabaseRef {
    return (this.task as SqlTask).databases[0] as DatabaseRef;
  }
}
