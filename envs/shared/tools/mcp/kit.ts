/** The tools of an MCP server as a tool kit. */
import type { ObjectSchema, Tool } from "../../../env.js";
import type { ToolKit } from "../tool-kit.js";
import { answerOf } from "./answer.js";
import { listingOf } from "./listing.js";
import { type McpConnection, McpEndpoint, type McpServer, type McpTool, nameOf } from "./server.js";

export interface McpSettings {
  server: McpServer;
  /** Names of the tools that agents may use. Default: all tools of the server. Default: all. */
  only?: readonly string[] | undefined;
}

/**
 * Returns the kit of a server. Each episode has its own connection, which its first call opens. A
 * restored episode gets a new connection; past calls are not repeated, so the server's state is not restored.
 *
 * @param isFresh true to request the list of tools from the server even if it is already stored
 * @throws {ServiceFailed} the server does not answer, and its list of tools is not stored
 * @throws {RangeError} a tool does not exist, two tools have the same name, a header is invalid or a variable is not
 *   set
 */
export async function mcpKit({ server, only }: McpSettings, isFresh: boolean): Promise<ToolKit> {
  const endpoint = new McpEndpoint(server);
  const listing = await listingOf(endpoint, isFresh);
  const missing = only?.find((name) => !listing.some((tool) => tool.name === name));
  if (missing !== undefined) {
    const names = listing.map(({ name }) => name).join(", ");
    throw new RangeError(`expected names of the server's tools, ${names}, but received ${JSON.stringify(missing)}`);
  }
  const chosen = listing.filter(({ name }) => !only || only.includes(name));
  const names = namesOf(chosen, server);
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
          opening ??= endpoint.open(signal);
          try {
            const connection = await opening;
            return answerOf(await connection.call(names.get(name) as string, given, signal));
          } catch (error) {
            // The next call opens a new connection.
            await close();
            throw error;
          }
        },
        close,
      };
    },
  };
}

/** Returns a map from each tool's name in the gym to its name on the server. */
function namesOf(tools: readonly McpTool[], server: McpServer): Map<string, string> {
  const names = new Map<string, string>();
  for (const { name } of tools) {
    const own = ownName(name);
    const other = names.get(own);
    if (other !== undefined) {
      const both = `${JSON.stringify(other)} and ${JSON.stringify(name)}`;
      throw new RangeError(
        `expected tools of ${nameOf(server)} whose names differ in letters, digits or _, but received ${both}. Choose one of them with \`only\``,
      );
    }
    names.set(own, name);
  }
  return names;
}

/** Converts a name to a valid tool name of the gym: lower-case letters, digits and _, with a letter first. */
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
