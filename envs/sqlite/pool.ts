import { ProcessPool } from "../processes/pool.js";
import { type SqliteLimits, sqliteProgram } from "./program.js";
import type { DatabaseAnswers, DatabaseRequest } from "./request.js";

/**
 * Processes that run SQL: as many as there are requests, up to a limit. A request whose process was ended from outside
 * is sent once more.
 */
export class SqlitePool<Request extends { op: string }, Answers extends { [Op in Request["op"]]: unknown }> {
  private readonly pool: ProcessPool<Request>;

  /**
   * @param most processes that run at once
   * @param runner the program, compiled
   */
  constructor(most: number, limits: SqliteLimits, runner: URL) {
    this.pool = new ProcessPool(sqliteProgram(runner, limits), { most, retries: 1 });
  }

  /** Ids of the processes that run. */
  get pids(): number[] {
    return this.pool.pids;
  }

  /**
   * @throws {LimitReached} the SQL took too long, or too much memory @throws {ProcessLost} its process was ended twice
   * @throws {Error} the request cannot be answered, such as one about a file that is not there @throws the signal's reason
   */
  async ask<R extends Request>(request: R, signal: AbortSignal): Promise<Answers[R["op"]]> {
    return (await this.pool.ask(request, signal)) as Answers[R["op"]];
  }

  /** Ends all processes. Requests that run or wait fail, and so do later ones. */
  close(): void {
    this.pool.close();
  }
}

/** Processes that run SQL on files of SQLite, which are named by their absolute paths. */
export class FilePool extends SqlitePool<DatabaseRequest<string>, DatabaseAnswers> {
  /** @param most processes that run at once */
  constructor(most: number, limits: SqliteLimits) {
    super(most, limits, new URL("./runner.js", import.meta.url));
  }
}
