/** Streaming of replies as server-sent events. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Chat } from "./chat.js";
import { EndpointError } from "./protocol/errors.js";
import type { StreamEvent } from "./protocol/protocol.js";

/** Milliseconds after which a client that reads nothing is disconnected. */
const stalledMs = 60_000;

/**
 * Sends a reply. An error is sent as the last event, since the status was already sent. Resolves once the whole reply
 * is written or the client has disconnected.
 *
 * @param headers headers beside those of every stream
 */
export async function sendStream(
  response: ServerResponse,
  chat: Chat,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const own = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
  response.writeHead(200, { ...own, ...headers });
  try {
    for await (const event of chat.events()) await write(response, event);
  } catch (error) {
    if (!(error instanceof EndpointError)) console.error(error);
    const told = error instanceof EndpointError ? error : new EndpointError("endpoint_fault", "expected no fault");
    for (const event of chat.failed(told)) await write(response, event);
  }
  response.end();
}

async function write(response: ServerResponse, { name, data }: StreamEvent): Promise<void> {
  const line = name === undefined ? "" : `event: ${name}\n`;
  const text = typeof data === "string" ? data : JSON.stringify(data);
  if (response.destroyed || response.write(`${line}data: ${text}\n\n`)) return;
  const { signal, abort } = stallOf(response);
  await once(response, "drain", { signal }).catch(() => {});
  abort();
}

/**
 * Makes a controller that aborts when the connection closes. A connection that is not read is closed, since its call
 * would keep the rollout open.
 */
function stallOf(response: ServerResponse): { signal: AbortSignal; abort(): void } {
  const waiting = new AbortController();
  const stalled = setTimeout(() => response.destroy(), stalledMs);
  const abort = () => {
    clearTimeout(stalled);
    response.off("close", abort);
    waiting.abort();
  };
  response.once("close", abort);
  return { signal: waiting.signal, abort };
}
