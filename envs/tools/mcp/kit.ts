/** The tools of an MCP server, as an agent's. */
import type { ObjectSchema, ObservationPart, Tool } from "../../env.js";
import { bounded, type ToolAnswer, type ToolKit } from "../tool-kit.js";
import { listingOf } from "./listing.js";
import { McpConnection, type McpServer, type McpTool } from "./server.js";

export interface McpSettings {
  server: McpServer;
  /** Names of the tools that agents get; all where it is left out. */
  only?: readonly string[] | undefined;
}

/**
 * Each episode has a connection of its own, which its first call opens. An episode that is restored gets a new one: what
 * past calls did to the server's own state is not done again.
 *
 * @param isFresh whether the server is asked what tools it has, or only where nothing is known of it
 * @throws {ServiceFailed} the server does not answer, and never did
 * @throws {RangeError} it has no tool of a name
 */
export async function mcpKit({ server, only }: McpSettings, isFresh: boolean): Promise<ToolKit> {
  const listing = await listingOf(server, isFresh);
  const missing = only?.find((name) => !listing.some((tool) => tool.name === name));
  if (missing !== undefined) {
    const names = listing.map(({ name }) => name).join(", ");
    throw new RangeError(`expected tools of the server, which has ${names}, but received ${JSON.stringify(missing)}`);
  }
  const chosen = listing.filter(({ name }) => !only || only.includes(name));
  /** The server's own name of each. */
  const names = new Map(chosen.map(({ name }) => [ownName(name), name]));
  return {
    tools: chosen.map(toolOf),
    requirements: [],
    open() {
      let opening: Promise<McpConnection> | undefined;
      const close = async () => {
        const opened = opening;
        opening = undefined;
        await (await opened?.catch(() => undefined))?.close();
      };
      return {
        async call(name, given, signal) {
          opening ??= McpConnection.open(server, signal);
          try {
            const connection = await opening;
            return answerOf(await connection.call(names.get(name) as string, given, signal));
          } catch (error) {
            // The next try gets a new one.
            await close();
            throw error;
          }
        },
        close,
      };
    },
  };
}

/** As the gym's tools are named. */
function ownName(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9_]/g, "_");
  return /^[a-z]/.test(plain) ? plain : `tool_${plain}`;
}

function toolOf({ name, description, inputSchema }: McpTool): Tool {
  const own = ownName(name);
  const { $schema: _, ...schema } = inputSchema;
  return {
    name: own,
    description: description.trim() || `The server's tool ${name}.`,
    parameters: { ...schema, type: "object" } as ObjectSchema,
    action: `${own} {arguments}`,
  };
}

type Result = Awaited<ReturnType<McpConnection["call"]>>;

function answerOf({ content, structuredContent, isError }: Result & { structuredContent?: unknown }): ToolAnswer {
  const texts: string[] = [];
  const parts: (ObservationPart & { type: "image" })[] = [];
  for (const block of content) {
    if (block.type === "text") texts.push(block.text);
    else if (block.type === "image" && block.mimeType === "image/png")
      parts.push({ type: "image", mediaType: "image/png", data: block.data });
    else if (block.type === "resource" && "text" in block.resource) texts.push(String(block.resource.text));
    else texts.push(`[${block.type} that cannot be shown]`);
  }
  if (texts.length === 0 && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent));
  const text = bounded(texts.join("\n")) || (parts.length > 0 ? "" : "The answer is empty.");
  return { text, ...(parts.length > 0 && { parts }), ...(isError && { isError: true }) };
}
