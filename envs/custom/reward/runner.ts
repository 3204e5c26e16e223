/** Program of a process that runs a JavaScript reward function or a built-in piece. */
import { describeImportFailure } from "../../contract/import-failure.js";
import { traceOf } from "../../contract/trace.js";
import { serve } from "../../shared/processes/serve.js";
import { builtIns } from "./built-ins.js";
import { Piece, pieceFunctions, scoreOf } from "./pieces.js";
import type { FactsRequest, RewardFacts, RewardRequest, Scored } from "./request.js";

type RewardFunction = (request: RewardRequest, pieces: ReturnType<typeof pieceFunctions>) => unknown;

let isFresh = () => true;

await serve<RewardRequest | FactsRequest>(
  async () => {
    const { reward, facts } = await load(process.argv[2] as string);
    const pieces = pieceFunctions();
    // A module may add to the built-ins while it is loaded: every process of the function does so alike.
    isFresh = builtIns();
    return async (request) => ("facts" in request ? facts : partsOf(await reward(request, pieces)));
  },
  {
    isFresh: () => isFresh(),
    describe,
  },
);

/** Describes what the function or its module threw, with its file and line. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { place } = traceOf(error);
  return `${error.name}: ${error.message}${place === undefined ? "" : ` (${place})`}`;
}

/** Loads a reward function and its facts. @param source URL of a module, or a piece as JSON */
async function load(source: string): Promise<{ reward: RewardFunction; facts: RewardFacts }> {
  if (source.startsWith("{")) {
    const piece = Piece.parse(JSON.parse(source));
    return { reward: (request) => scoreOf(piece, request), facts: {} };
  }
  const module = (await import(source).catch(async (error: unknown) => {
    throw await describeImportFailure(source, error);
  })) as { default?: unknown; reward?: unknown } & RewardFacts;
  const found = typeof module.default === "function" ? module.default : module.reward;
  const { rewardRange, solvedReward } = module;
  const facts = { ...(rewardRange && { rewardRange }), ...(solvedReward !== undefined && { solvedReward }) };
  if (typeof found === "function") return { reward: found as RewardFunction, facts };
  throw new Error(
    "expected a function as the module's default export or as its export reward, but the module has neither",
  );
}

function partsOf(result: unknown): Scored {
  const isObject = typeof result === "object" && result !== null;
  const { reward, info, why }: Scored = isObject ? result : { reward: result };
  // JSON would turn NaN into null.
  return {
    reward: typeof reward === "number" && !Number.isFinite(reward) ? String(reward) : reward,
    ...(info !== undefined && { info }),
    ...(why !== undefined && why !== null && { why }),
  };
}
