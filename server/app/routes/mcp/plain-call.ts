/**
 * Plain calls of tools of revision 2026-07-28, which are nearly all requests of an agent. They are answered without the
 * library, which needs several milliseconds for the server object of each request. The replies are the same. The library
 * answers every other request, also each call that it might refuse.
 */
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { version } from "../../../version.js";
import { parse, quick } from "../../validation.js";
import type { ToolHandler } from "./handler.js";

const revision = "2026-07-28";

const PlainCall = quick(
  z.strictObject({
    jsonrpc: z.literal("2.0"),
    id: z.union([z.string(), z.int()]),
    method: z.literal("tools/call"),
    params: z.strictObject({
      name: z.string(),
      arguments: z.record(z.string(), z.unknown()).optional(),
      _meta: z.strictObject({
        "io.modelcontextprotocol/protocolVersion": z.literal(revision),
        "io.modelcontextprotocol/clientCapabilities": z.strictObject({}),
        "io.modelcontextprotocol/clientInfo": z.strictObject({ name: z.string(), version: z.string() }).optional(),
      }),
    }),
  }),
);

/** Returns the reply to a plain call of a tool, or null for any other request. */
export async function plainReply(
  handler: ToolHandler,
  { method, headers, body }: FastifyRequest,
): Promise<object | null> {
  if (method !== "POST" || headers["mcp-protocol-version"] !== revision || headers["mcp-method"] !== "tools/call")
    return null;
  const accepted = headers.accept ?? "";
  if (!accepted.includes("application/json") || !accepted.includes("text/event-stream")) return null;
  const { success, data } = parse(PlainCall, body);
  if (!success || headers["mcp-name"] !== data.params.name) return null;
  const result = await handler.call(data.params.name, data.params.arguments ?? {});
  const _meta = { "io.modelcontextprotocol/serverInfo": { name: "palestra", version } };
  return { result: { ...result, resultType: "complete", _meta }, jsonrpc: "2.0", id: data.id };
}
