/** The requests of OpenEnv's WebSocket, wherever their session is played. */
import type { z } from "zod";
import type { Sessions } from "../../../adapter/sessions.js";
import type { Client } from "../../../episodes/episode/client.js";
import { isDraining, isElsewhere } from "../../../episodes/episode/refusals.js";
import type { Player } from "./player.js";
import type { OpenenvError } from "./results.js";
import { handleRpc } from "./rpc.js";
import type { Frame } from "./schemas.js";

export type OpenenvFrame = z.output<typeof Frame>;

/** A frame of a client, or of a gym of the fleet whose client has gone: `idleMs` is the time since the last reply. */
export type SeatFrame = OpenenvFrame | { type: "leave"; idleMs: number };

export interface FrameParts {
  player: Player;
  sessions: Sessions;
  owner: string;
  session: number;
  client: Client;
  /** Tells the log and the metrics about an error, and returns it as OpenEnv's clients get it. */
  told(error: Error): OpenenvError;
  /** Whether another gym has passed the frame on, which asks the next gym if this one is about to end. Default: no. */
  isPassed?: boolean;
}

/** Answers a frame with the text of another. @throws {GymError} EPISODE_ELSEWHERE, SERVER_DRAINING */
export async function frameReply(frame: SeatFrame, parts: FrameParts): Promise<string> {
  try {
    const [type, data] = await answer(frame, parts);
    return JSON.stringify({ type, data });
  } catch (error) {
    if (isElsewhere(error) || (parts.isPassed && isDraining(error))) throw error;
    return errorFrame(parts.told(error as Error));
  }
}

export function errorFrame(data: { code: string; message: string }): string {
  return JSON.stringify({ type: "error", data });
}

async function answer(
  frame: SeatFrame,
  { player, sessions, owner, session, client, told }: FrameParts,
): Promise<[type: string, data: object]> {
  switch (frame.type) {
    case "reset":
      return ["observation", await player.reset(session, frame.data, client)];
    case "step":
      return ["observation", await player.step(session, frame.data)];
    case "state":
      return ["state", await player.state(session)];
    case "mcp": {
      const onError = (error: Error) => void told(error);
      return ["mcp", await handleRpc(frame.data, { player, sessions, owner, session, onError })];
    }
    case "close":
      await sessions.close(owner, session);
      return ["closed", {}];
    case "leave":
      sessions.leave(session, performance.now() - frame.idleMs);
      return ["left", {}];
  }
}

/** Whether a frame may be answered twice. A step with its index is taken once. */
export function mayRepeat(frame: SeatFrame): boolean {
  if (frame.type === "mcp") return (frame.data as { method?: unknown } | null)?.method !== "tools/call";
  return frame.type !== "step" || typeof (frame.data as { index?: unknown }).index === "number";
}
