/** Program of a process that runs a reward function of JavaScript, or a ready-made piece. It answers one request at a time. */
import { writeSync } from "node:fs";
import { Socket } from "node:net";
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
  // A file's read would hold up the function's own exit until the next request.
  for await (const line of createInterface(new Socket({ fd: requestDescriptor }))) {
    const { id, ...request } = JSON.parse(line) as ToRewardProcess;
    try {
      const result = await reward(request, pieces);
      tell({ kind: "scored", id, ...partsOf(result) });
    } catch (error) {
      tell({ kind: "threw", id, message: describe(error) });
    }
  }
}

/** A function that never ends keeps the main thread from seeing that nobody waits for it any more. */
function endWithTheGym(): void {
  const end = () => process.kill(process.pid, "SIGKILL");
  new Socket({ fd: lifeDescriptor }).on("end", end).on("error", end).resume();
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

function partsOf(result: unknown): { reward: unknown; info?: unknown } {
  const isObject = typeof result === "object" && result !== null;
  const { reward, info }: { reward?: unknown; info?: unknown } = isObject ? result : { reward: result };
  // JSON would make nothing of NaN.
  return {
    reward: typeof reward === "number" && !Number.isFinite(reward) ? String(reward) : reward,
    ...(info !== undefined && { info }),
  };
}

function tell(message: FromRewardProcess): void {
  writeSync(answerDescriptor, `${JSON.stringify(message)}\n`);
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
