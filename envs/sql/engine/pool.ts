import { SqlitePool } from "../../shared/sqlite/pool.js";
import type { SqliteLimits } from "../../shared/sqlite/program.js";
import type { Answers, EngineRequest } from "./request.js";

/** Pool of processes that run SQL and generate databases and questions from seeds. */
export class EnginePool extends SqlitePool<EngineRequest, Answers> {
  /** @param most maximum number of processes */
  constructor(most: number, limits: SqliteLimits) {
    super(most, limits, new URL("./runner.js", import.meta.url));
  }
}
