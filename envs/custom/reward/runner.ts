/** Program of a process that runs a reward function of JavaScript, or a ready-made piece. */
import { serve } from "../../processes/serve.js";
import { Piece, pieceFunctions, scoreOf } from "./pieces.js";
import type { RewardRequest, Scored } from "./request.js";

type RewardFunction = (request: RewardRequest, pieces: ReturnType<typeof pieceFunctions>) => unknown;

await serve<RewardRequest>(
  async () => {
    const reward = await load(process.argv[2] as string);
    const pieces = pieceFunctions();
    return async (request) => partsOf(await reward(request, pieces));
  },
  { describe: (error) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error)) },
);

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

function partsOf(result: unknown): Scored {
  const isObject = typeof result === "object" && result !== null;
  const { reward, info }: Scored = isObject ? result : { reward: result };
  // JSON would make nothing of NaN.
  return {
    reward: typeof reward === "number" && !Number.isFinite(reward) ? String(reward) : reward,
    ...(info !== undefined && { info }),
  };
}
