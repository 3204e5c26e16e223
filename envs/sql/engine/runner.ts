/** Program of a process that runs SQL. It answers one request at a time. */
import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { isMainThread, Worker } from "node:worker_threads";
import { makeProblem } from "../questions/problem.js";
import { schemaOf } from "../schemas/index.js";
import { compareTo, goldRows } from "./compare.js";
import { databaseOf } from "./databases.js";
import { describe } from "./describe.js";
import { runQuery } from "./query.js";
import {
  type Answers,
  answerDescriptor,
  type EngineRequest,
  type FromEngine,
  lifeDescriptor,
  requestDescriptor,
  type ToEngine,
} from "./request.js";
import { prepareReading } from "./statement.js";

if (isMainThread) await main();
else endWithTheGym();

async function main(): Promise<void> {
  new Worker(new URL(import.meta.url)).unref();
  tell({ kind: "ready" });
  // A file's read would hold up the process's own exit until the next request.
  for await (const line of createInterface(new Socket({ fd: requestDescriptor }))) {
    const { id, ...request } = JSON.parse(line) as ToEngine;
    try {
      tell({ kind: "answered", id, answer: answer(request, () => tell({ kind: "running", id })) });
    } catch (error) {
      tell({ kind: "threw", id, message: (error as Error).message });
    }
  }
}

/** SQL that never ends keeps the main thread from seeing that nobody waits for it any more. */
function endWithTheGym(): void {
  const end = () => process.kill(process.pid, "SIGKILL");
  new Socket({ fd: lifeDescriptor }).on("end", end).on("error", end).resume();
}

/** @param begin is called where the caller's SQL begins to run */
function answer(request: EngineRequest, begin: () => void): Answers[EngineRequest["op"]] {
  if (request.op === "task") {
    const { schema, seeds, family, seed } = request;
    const databases = seeds.map((each) => databaseOf({ schema, seed: each }));
    return makeProblem(schemaOf(schema), databases, family, seed);
  }
  const database = databaseOf(request.database);
  if (request.op === "describe") return describe(database, request.table);
  if (request.op === "query") {
    begin();
    return runQuery(database, request.sql);
  }
  const { gold, sql, ordered } = request;
  const rows = goldRows(database, gold);
  const width = prepareReading(database, gold).columns().length;
  begin();
  return compareTo(rows, width, database, sql, ordered);
}

function tell(message: FromEngine): void {
  writeSync(answerDescriptor, `${JSON.stringify(message)}\n`);
}
