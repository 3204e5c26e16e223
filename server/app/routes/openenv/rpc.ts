/**
 * OpenEnv's JSON-RPC at `/mcp`. It has the names of MCP's methods, but neither MCP's handshake nor its sessions: the
 * session of a call is in its parameters.
 */
import { z } from "zod";
import { MoveError } from "../../../adapter/moves.js";
import { SessionError } from "../../../adapter/session-error.js";
import { idOf, nameOf } from "../../../adapter/session-ids.js";
import type { Sessions } from "../../../adapter/sessions.js";
import { isElsewhere } from "../../../episodes/episode/refusals.js";
import type { GymError } from "../../../errors.js";
import { toGymError } from "../../plugins/error-replies.js";
import { parse } from "../../validation.js";
import type { Player } from "./player.js";
import { callResult, invalidMessage, toolReply } from "./results.js";
import { RpcRequest } from "./schemas.js";

export interface RpcParts {
  player: Player;
  sessions: Sessions;
  owner: string;
  /** Session of calls that name none; null if there is none. */
  session: number | null;
  onError(error: Error): void;
}

/** Codes of JSON-RPC 2.0, and OpenEnv's own code for a full server. */
const invalidRequest = -32_600;
const methodUnknown = -32_601;
const paramsInvalid = -32_602;
const internal = -32_603;
const atCapacity = -32_000;

class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: object,
  ) {
    super(message);
  }
}

/** Handles a request, and returns the response. @throws {GymError} EPISODE_ELSEWHERE */
export async function handleRpc(body: unknown, parts: RpcParts): Promise<object> {
  const parsed = parse(RpcRequest, body);
  if (!parsed.success) return failure(null, new RpcError(invalidRequest, invalidMessage(parsed.error).message));
  const { id, method, params } = parsed.data;
  try {
    const call = Object.hasOwn(methods, method) ? methods[method as keyof typeof methods] : undefined;
    if (!call) throw new RpcError(methodUnknown, `expected one of the methods ${Object.keys(methods).join(", ")}`);
    return { jsonrpc: "2.0", id, result: await call(params, parts) };
  } catch (error) {
    if (isElsewhere(error)) throw error;
    return failure(id, translated(error as Error, parts));
  }
}

/** Returns the response to a request that failed before it had a player. */
export function rpcFailure(error: GymError): object {
  return failure(null, new RpcError(internal, error.message, error.toBody()));
}

/** Returns the response to a body that is not JSON. */
export function unreadable(reason: string): object {
  return failure(null, new RpcError(-32_700, reason));
}

const SessionParams = z.object({ session_id: z.string().max(100).optional() });
const CallParams = SessionParams.extend({
  name: z.string().max(200),
  arguments: z.record(z.string(), z.unknown()).default({}),
});

const methods = {
  "openenv/session/create": async (_params: unknown, { sessions, owner }: RpcParts) => ({
    session_id: nameOf(await sessions.openNamed(owner)),
  }),

  "openenv/session/close": async (params: unknown, parts: RpcParts) => {
    const { session_id = "" } = expectParams(SessionParams, params);
    if (!(await parts.sessions.close(parts.owner, idOf(session_id) ?? -1))) throw unknownSession();
    return { session_id, closed: true };
  },

  "tools/list": async (params: unknown, parts: RpcParts) => {
    const session = sessionOf(expectParams(SessionParams, params), parts);
    const tools = session === null ? parts.player.tools : await parts.player.toolsOf(session);
    return { tools: tools.map(toolReply) };
  },

  "tools/call": async (params: unknown, parts: RpcParts) => {
    const { name, arguments: given, ...rest } = expectParams(CallParams, params);
    const session = sessionOf(rest, parts);
    if (session === null) throw new RpcError(paramsInvalid, "expected `session_id`, but received none");
    const { sessions, owner } = parts;
    const played = await sessions.act(owner, session, { name, arguments: given });
    const { reward, terminated, truncated } = played.newest;
    const meta = { episode_id: played.episode.row.id, reward, terminated, truncated };
    return { ...callResult(played), meta };
  },
};

function sessionOf({ session_id }: z.output<typeof SessionParams>, { session }: RpcParts): number | null {
  if (session_id === undefined) return session;
  const id = idOf(session_id);
  if (id === null) throw unknownSession();
  return id;
}

function expectParams<T>(schema: z.ZodType<T>, params: unknown): T {
  const parsed = parse(schema, params);
  if (parsed.success) return parsed.data;
  throw new RpcError(paramsInvalid, invalidMessage(parsed.error).message);
}

function unknownSession(): RpcError {
  return new RpcError(paramsInvalid, "expected the id of an open session, but received an unknown one");
}

function translated(error: Error, { onError }: RpcParts): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof MoveError) return new RpcError(paramsInvalid, error.message);
  if (error instanceof SessionError) {
    if (error.fault === "unknown" || error.fault === "closed") return unknownSession();
    const needed = error.fault === "empty" ? "a reset before the first call" : "a reset after the end of the episode";
    return new RpcError(internal, `expected ${needed}, but received a call`);
  }
  onError(error);
  const gymError = toGymError(error);
  const code = gymError.failureClass === "capacity" ? atCapacity : internal;
  return new RpcError(code, gymError.message, gymError.toBody());
}

function failure(id: string | number | null, { code, message, data }: RpcError): object {
  return { jsonrpc: "2.0", id, error: { code, message, ...(data && { data }) } };
}
