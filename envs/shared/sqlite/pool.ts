import { ProcessPool } from "../processes/pool.js";
import { type SqliteLimits, sqliteProgram } from "./program.js";
import type { DatabaseAnswers, DatabaseRequest } from "./request.js";

/**
 * Pool of processes that run SQL. Processes are started on demand, up to a limit. A request whose process was killed
 * from outside is retried once.
 */
export class SqlitePool<Request extends { op: string }, Answers extends { [Op in Request["op"]]: unknown }> {
  private readonly pool: ProcessPool<Request>;

  /**
   * @param most maximum number of processes
   * @param runner URL of the compiled program
   */
  constructor(most: number, limits: SqliteLimits, runner: URL) {
    this.pool = new ProcessPool(sqliteProgram(runner, limits), { most, retries: 1 });
  }

  /** Ids of the running processes. */
  get pids(): number[] {
    return this.pool.pids;
  }

  /**
   * Sends a request and returns the reply.
   *
   * @throws {LimitReached} the SQL exceeded its time limit or memory limit
   * @throws {ProcessLost} the process was killed, also during the retry, or the pool is closed
   * @throws {Error} the request cannot be answered, for example because the file does not exist
   * @throws the signal's reason
   */
  async ask<R extends Request>(request: R, signal: AbortSignal): Promise<Answers[R["op"]]> {
    return (await this.pool.ask(request, signal)) as Answers[R["op"]];
  }

  /** Ends all processes. All running, waiting and later requests fail. */
  close(): void {
    this.pool.close();
  }
}

/** Pool of processes that run SQL on SQLite files. A request names its file by the absolute path. */
export class FilePool extends SqlitePool<DatabaseRequest<string>, DatabaseAnswers> {
  /** @param most maximum number of processes */
  constructor(most: number, limits: SqliteLimits) {
    super(most, limits, new URL("./runner.js", import.meta.url));
  }
}
