import { z } from "zod";
import type { Client } from "../episodes/episode/client.js";
import type { EpisodeState } from "../episodes/episode-pages.js";
import type { Caller, Gym } from "../episodes/gym.js";
import type { ErrorCode } from "../errors.js";
import type { JudgmentStore } from "../judging/judgment.js";
import type { Runs } from "../runs/runs.js";

/** Parts of the server that operations use. */
export interface Served {
  gym: Gym;
  runs: Runs;
  judgments: JudgmentStore;
  router: Router;
}

/** Runs operations on the gym that has their episode. */
export interface Router {
  /** @param params checked parameters of the operation */
  run(name: string, operation: Operation, call: Call, params: object): Promise<string>;
  /** Returns the states of episodes with these keys. Null: it was removed, is damaged, or no gym has it. */
  states(gym: Gym, caller: Caller, keys: readonly number[]): Promise<(EpisodeState | null)[]>;
}

/** Context of an operation: the served parts and the caller. */
export interface Call extends Served {
  caller: Caller;
  client: Client;
}

/**
 * Builds the context of an operation. It names each part, since a spread of `served` would take kilobytes until the reply,
 * which the garbage collector copies at each collection.
 */
export function callOf({ gym, runs, judgments, router }: Served, caller: Caller, client: Client): Call {
  return { gym, runs, judgments, router, caller, client };
}

type Shape = z.ZodObject<z.ZodRawShape>;

export interface Operation<
  Path extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends Shape = Shape,
  Header extends Shape = Shape,
> {
  method: "GET" | "POST" | "DELETE";
  url: string;
  summary: string;
  path: Path;
  query: Query;
  body: Body | null;
  /** Headers, named in camelCase: `idempotencyKey` is the HTTP header `Idempotency-Key`. */
  header: Header;
  reply: z.ZodType;
  /** Errors of this operation, in addition to the errors that any request can have. */
  errors: readonly ErrorCode[];
  run(call: Call, params: z.output<Path> & z.output<Query> & z.output<Body> & z.output<Header>): Promise<string>;
  /** Returns the reply as UTF-8, for a large reply without parameters that is the same for many requests. */
  bytes?(call: Call): Promise<Buffer>;
}

/** Errors of a call about an episode. */
export const findErrors: ErrorCode[] = [
  "EPISODE_UNKNOWN",
  "EPISODE_ELSEWHERE",
  "ENVIRONMENT_UNKNOWN",
  "LOG_FAILED",
  "LOG_CORRUPT",
];

const nothing = z.object({});

type Parts<P extends Shape, Q extends Shape, B extends Shape, H extends Shape> = Omit<
  Operation<P, Q, B, H>,
  "path" | "query" | "body" | "header"
> & { path?: P; query?: Q; body?: B; header?: H };

/** Fills in defaults. The compiler checks `run` against the operation's own types, which the returned type omits. */
export function operation<
  P extends Shape = typeof nothing,
  Q extends Shape = typeof nothing,
  B extends Shape = typeof nothing,
  H extends Shape = typeof nothing,
>(parts: Parts<P, Q, B, H>): Operation {
  const filled = { path: nothing, query: nothing, body: null, header: nothing, ...parts };
  return filled as unknown as Operation;
}
