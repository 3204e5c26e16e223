import { SqlitePool } from "../../sqlite/pool.js";
import type { SqliteLimits } from "../../sqlite/program.js";
import type { Answers, EngineRequest } from "./request.js";

/** Processes that run SQL, and that make databases and questions from seeds. */
export class EnginePool extends SqlitePool<EngineRequest, Answers> {
  /** @param most processes that run at once */
  constructor(most: number, limits: SqliteLimits) {
    super(most, limits, new URL("./runner.js", import.meta.url));
  }
}
