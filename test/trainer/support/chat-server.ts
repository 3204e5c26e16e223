/** A small OpenAI-compatible server with scripted replies and failures. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

export interface ChatMessage {
  role: string;
  content: string;
  tool_call_id?: string;
}

export interface ChatRequest {
  model: string;
  messages: ChatMessage[];
  headers: IncomingMessage["headers"];
  [name: string]: unknown;
}

/** A message of the assistant in OpenAI's format. */
export interface ChatReply {
  content: string | null;
  tool_calls?: unknown[];
}

export type Fault = { status: number; headers?: Record<string, string>; body?: string } | "stall" | "garbage" | "reset";

export interface ChatScript {
  say(request: ChatRequest): string | ChatReply;
  /** Reply to the n-th request, from 0. */
  fault?(n: number): Fault | undefined;
  /** Changes the ids of a prompt, like a chat template that rewrites earlier turns. */
  rewrite?(ids: number[], request: ChatRequest): number[];
  delayMs?: number;
}

export interface ChatServer {
  url: string;
  requests: ChatRequest[];
  /** Largest number of concurrent requests. */
  peak(): number;
}

export async function serveChat(script: ChatScript): Promise<ChatServer> {
  const requests: ChatRequest[] = [];
  let live = 0;
  let peak = 0;
  const server = createServer(async (incoming, response) => {
    peak = Math.max(peak, ++live);
    response.once("close", () => live--);
    if (incoming.method === "GET") return void response.end('{"data": [{"id": "tiny"}, {"id": "small"}]}');
    const request = { ...JSON.parse(await text(incoming)), headers: incoming.headers } as ChatRequest;
    const fault = script.fault?.(requests.length);
    requests.push(request);
    if (fault) return fail(fault, response);
    await new Promise((resolve) => setTimeout(resolve, script.delayMs ?? 0));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(complete(request, script)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}/v1`, requests, peak: () => peak };
}

const endOfTurn = 3;

/** The server's tokens are characters. Each message ends with a special token. */
function complete(request: ChatRequest, script: ChatScript) {
  const said = script.say(request);
  const message = typeof said === "string" ? { content: said } : said;
  const content = message.content ?? "";
  const rendered = request.messages.map(({ role, content }) => [...codes(`${role}:${content}`), endOfTurn]);
  const prompt = [...rendered.flat(), ...codes("assistant:")];
  const ids = [...codes(content), endOfTurn];
  const logprobs = { content: ids.map((id) => ({ token: String.fromCharCode(id), logprob: -id / 1000 })) };
  return {
    ...(request.return_token_ids === true && { prompt_token_ids: script.rewrite?.(prompt, request) ?? prompt }),
    choices: [
      {
        message: { role: "assistant", ...message },
        finish_reason: "stop",
        ...(request.return_token_ids === true && { token_ids: ids }),
        ...(request.logprobs === true && { logprobs }),
      },
    ],
    usage: { prompt_tokens: prompt.length, completion_tokens: ids.length },
  };
}

function codes(text: string): number[] {
  return [...text].map((character) => character.charCodeAt(0));
}

function fail(fault: Fault, response: ServerResponse): void {
  if (fault === "stall") return;
  if (fault === "reset") response.destroy();
  else if (fault === "garbage") response.end("<html>Bad gateway</html>");
  else response.writeHead(fault.status, fault.headers).end(fault.body ?? "{}");
}

async function text(incoming: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of incoming) body += chunk;
  return body;
}
