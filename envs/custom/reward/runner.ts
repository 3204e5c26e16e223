/** Program of a process that runs a reward function of JavaScript, or a ready-made piece. It answers one request at a time. */
import { createReadStream, readSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { isMainThread, Worker } from "node:worker_threads";
import { Piece, pieceFunctions, scoreOf } from "./pieces.js";
import {
  answerDescriptor,
  type FromRewardProcess,
  lifeDescriptor,
  type RewardRequest,
  requestDescriptor,
  type ToRewardProcess,
} from "./request.js";

type RewardFunction = (request: RewardRequest, pieces: ReturnType<typeof pieceFunctions>) => unknown;

if (isMainThread) await main();
else endWithTheGym();

async function main(): Promise<void> {
  new Worker(new URL(import.meta.url)).unref();
  const reward = await load(process.argv[2] as string).catch((error: unknown) => {
    tell({ kind: "unusable", message: describe(error) });
    return null;
  });
  if (!reward) return;
  tell({ kind: "ready" });
  const pieces = pieceFunctions();
  for await (const line of createInterface(createReadStream("", { fd: requestDescriptor }))) {
    const { id, ...request } = JSON.parse(line) as ToRewardProcess;
    try {
      const result = await reward(request, pieces);
      tell({
        kind: "scored",
        id,
        ...(typeof result === "object" && result !== null ? partsOf(result) : { reward: result }),
      });
    } catch (error) {
      tell({ kind: "threw", id, message: describe(error) });
    }
  }
}

/** A function that never ends keeps the main thread from seeing that nobody waits for it any more. */
function endWithTheGym(): void {
  const byte = Buffer.alloc(1);
  while (readSync(lifeDescriptor, byte) > 0);
  process.kill(process.pid, "SIGKILL");
}

/** @param what URL of a module, or a piece as JSON */
async function load(what: string): Promise<RewardFunction> {
  if (what.startsWith("{")) {
    const piece = Piece.parse(JSON.parse(what));
    return (request) => scoreOf(piece, request);
  }
  const module = (await import(what)) as { default?: unknown; reward?: unknown };
  const found = typeof module.default === "function" ? module.default : module.reward;
  if (typeof found === "function") return found as RewardFunction;
  throw new Error("expected a function as the module's default export, or one called reward, but received none");
}

function partsOf(result: object): { reward: unknown; info?: unknown } {
  const { reward, info } = result as { reward?: unknown; info?: unknown };
  return { reward, ...(info !== undefined && { info }) };
}

function tell(message: FromRewardProcess): void {
  writeSync(answerDescriptor, `${JSON.stringify(message)}\n`);
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
