/** Answers requests of the Model Context Protocol, each with a server object of its own for its handler. */
import {
  createMcpHandler,
  type McpHttpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from "@modelcontextprotocol/server";
import type { FastifyRequest } from "fastify";
import { version } from "../../../version.js";
import type { ToolHandler } from "./handler.js";

/** Milliseconds for which a client may keep a list. Lists of an episode do not change. */
const listTtlMs = 60_000;

export class McpService {
  private readonly handler: McpHttpHandler;

  constructor() {
    this.handler = createMcpHandler(({ authInfo }) => serverOf(authInfo?.extra?.handler as ToolHandler), {
      responseMode: "json",
    });
  }

  async answer(
    handler: ToolHandler,
    { raw, method, protocol, host, headers, body }: FastifyRequest,
  ): Promise<Response> {
    const sent = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || forbidden.has(name) ? [] : [[name, String(value)] as [string, string]],
    );
    const url = new URL(raw.url ?? "/", `${protocol}://${host || "localhost"}`);
    const text = method === "POST" ? JSON.stringify(body ?? null) : undefined;
    const request = new Request(url, { method, headers: sent, ...(text !== undefined && { body: text }) });
    const authInfo = { token: "", clientId: "", scopes: [], extra: { handler } };
    return this.handler.fetch(request, { authInfo, ...(text !== undefined && { parsedBody: body ?? null }) });
  }

  close(): Promise<void> {
    return this.handler.close();
  }
}

/** Headers of the connection and of the body as it was sent. */
const forbidden = new Set(["connection", "content-length", "host", "transfer-encoding", "authorization"]);

function serverOf(handler: ToolHandler): Server {
  const cacheHints = { "tools/list": { ttlMs: listTtlMs }, "resources/list": { ttlMs: listTtlMs } } as const;
  const server = new Server(
    { name: "palestra", version },
    { capabilities: { tools: {}, resources: {} }, instructions: handler.instructions, cacheHints },
  );
  server.setRequestHandler("tools/list", () => ({ tools: handler.tools() }));
  server.setRequestHandler("tools/call", ({ params }) => handler.call(params.name, params.arguments ?? {}));
  server.setRequestHandler("resources/list", () => ({ resources: handler.resources() }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [
      { uriTemplate: "palestra://episodes/{episodeId}/transcript", name: "transcript", mimeType: "text/markdown" },
    ],
  }));
  server.setRequestHandler("resources/read", async ({ params }) => {
    try {
      return await handler.read(params.uri);
    } catch (error) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, (error as Error).message);
    }
  });
  return server;
}
