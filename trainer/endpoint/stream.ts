/** Streaming of replies as server-sent events: one event for each chunk, then `[DONE]`. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Chat } from "./chat.js";
import { EndpointError } from "./protocol/errors.js";

/** Milliseconds after which a client that reads nothing is disconnected. */
const stalledMs = 60_000;

/**
 * Sends a reply. An error is sent as the last event, since the status was already sent. Resolves once the whole reply
 * is written or the client has disconnected.
 */
export async function sendStream(response: ServerResponse, chat: Chat, includeUsage: boolean): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  try {
    for await (const chunk of chunksOf(chat, includeUsage)) await write(response, JSON.stringify(chunk));
    await write(response, "[DONE]");
  } catch (error) {
    if (!(error instanceof EndpointError)) console.error(error);
    const told = error instanceof EndpointError ? error : new EndpointError("endpoint_fault", "expected no fault");
    await write(response, JSON.stringify(told.toBody()));
  }
  response.end();
}

async function* chunksOf(chat: Chat, includeUsage: boolean): AsyncGenerator<object> {
  const { writer } = chat;
  yield writer.first();
  const deltas = chat.deltas();
  let step = await deltas.next();
  for (; !step.done; step = await deltas.next()) yield writer.text(step.value.text, step.value.tokens);
  yield writer.last(step.value, step.value.tokens);
  if (includeUsage) yield writer.usageChunk(step.value);
}

async function write(response: ServerResponse, data: string): Promise<void> {
  if (response.destroyed || response.write(`data: ${data}\n\n`)) return;
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
