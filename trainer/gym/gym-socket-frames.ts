/** The address of a gym's socket, and the replies that it sends. */
import { type FailureClass, GymError } from "./gym.js";

export interface Reply {
  id: number;
  result?: unknown;
  error?: { code: string; class: FailureClass; message: string; details?: Record<string, unknown> };
}

/** Parses a frame. Undefined for a frame that is no reply. */
export function parseReply(text: string): Reply | undefined {
  try {
    const reply = JSON.parse(text) as Reply | null;
    return typeof reply?.id === "number" ? reply : undefined;
  } catch {
    return undefined;
  }
}

/** @throws {GymError} GYM_REFUSED if the URL is not that of a server */
export function socketUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^(https?|wss?):$/.test(parsed.protocol)) {
    throw new GymError(
      "GYM_REFUSED",
      "action",
      `expected a URL such as http://127.0.0.1:8700, but received ${JSON.stringify(url)}`,
    );
  }
  const base = parsed.pathname.replace(/\/+$/, "").replace(/\/v1(\/socket)?$/, "");
  return `${parsed.protocol.replace("http", "ws")}//${parsed.host}${base}/v1/socket`;
}
