/** Servers of the Model Context Protocol, of revision 2026-07-28 and of those before it. */
import { createHash } from "node:crypto";
import type { Client } from "@modelcontextprotocol/client";
import { Ajv } from "ajv";
import { ServiceFailed } from "../../errors.js";

export type McpServer = { timeoutMs: number } & (
  | { url: string; headers: Readonly<Record<string, string>> }
  | { command: string; args: readonly string[]; env: Readonly<Record<string, string>> }
);

export interface McpTool {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
}

const us = { name: "palestra", version: "1" };

/** Characters of what a server writes to its error output that its failure quotes. */
const mostComplaint = 500;

/** A server in words, for errors. */
export function nameOf(server: McpServer): string {
  return `the MCP server ${"url" in server ? server.url : [server.command, ...server.args].join(" ")}`;
}

/** One connection: with a server that is a command, one process. */
export class McpConnection {
  private constructor(
    private readonly server: McpServer,
    private readonly client: Client,
    private readonly complaint: () => string,
  ) {}

  /** @throws {ServiceFailed} it cannot be reached @throws the signal's reason */
  static async open(server: McpServer, signal: AbortSignal): Promise<McpConnection> {
    // The library is loaded with the first server that is asked: most gyms have none.
    const { Client } = await import("@modelcontextprotocol/client");
    const { AjvJsonSchemaValidator } = await import("@modelcontextprotocol/client/validators/ajv");
    const client = new Client(us, {
      versionNegotiation: { mode: "auto", probe: { timeoutMs: server.timeoutMs } },
      // The library's own complains on the error output of every format that it does not know.
      jsonSchemaValidator: new AjvJsonSchemaValidator(new Ajv({ strict: false, validateFormats: false })),
    });
    const { transport, complaint } = await transportOf(server);
    const connection = new McpConnection(server, client, complaint);
    try {
      await client.connect(transport, { timeout: server.timeoutMs, signal });
      return connection;
    } catch (error) {
      await connection.close();
      throw connection.failure(error, signal);
    }
  }

  /** @throws {ServiceFailed} @throws the signal's reason */
  async list(signal: AbortSignal): Promise<McpTool[]> {
    try {
      const { tools } = await this.client.listTools(undefined, { timeout: this.server.timeoutMs, signal });
      return tools.map(({ name, description = "", inputSchema }) => ({ name, description, inputSchema }));
    } catch (error) {
      throw this.failure(error, signal);
    }
  }

  /** The result as the protocol has it. @throws {ServiceFailed} @throws the signal's reason */
  async call(name: string, given: Readonly<Record<string, unknown>>, signal: AbortSignal) {
    try {
      return await this.client.callTool({ name, arguments: { ...given } }, { timeout: this.server.timeoutMs, signal });
    } catch (error) {
      const complaint = refusalOf(error);
      if (complaint !== undefined) return { content: [{ type: "text" as const, text: complaint }], isError: true };
      throw this.failure(error, signal);
    }
  }

  async close(): Promise<void> {
    await this.client.close().catch(() => {});
  }

  private failure(error: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) return signal.reason;
    const said = [(error as Error).message, this.complaint()].filter((text) => text !== "").join(": ");
    return new ServiceFailed(`an answer of ${nameOf(this.server)}`, said, error);
  }
}

/** JSON-RPC's codes for a request that the server understood and refuses: a word to the caller, not a failure. */
const refusals: ReadonlySet<unknown> = new Set([-32602, -32600]);

function refusalOf(error: unknown): string | undefined {
  const { code, message } = error as { code?: unknown; message?: string };
  return refusals.has(code) ? message : undefined;
}

async function transportOf(server: McpServer) {
  if ("url" in server) {
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const requestInit = { headers: withVariables(server.headers) };
    return { transport: new StreamableHTTPClientTransport(new URL(server.url), { requestInit }), complaint: () => "" };
  }
  const { StdioClientTransport, getDefaultEnvironment } = await import("@modelcontextprotocol/client/stdio");
  const { command, args, env } = server;
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    // Not the gym's own: its tokens are none of a server's business.
    env: { ...getDefaultEnvironment(), ...withVariables(env) },
    stderr: "pipe",
  });
  let said = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-mostComplaint);
  });
  return { transport, complaint: () => said.trim() };
}

/** `${NAME}` in a value is the variable of the gym's environment. */
function withVariables(values: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    value.replace(/\$\{(\w+)\}/g, (_, variable: string) => process.env[variable] ?? ""),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

/** A short name for all that says which server it is. */
export function keyOf(server: McpServer): string {
  const { timeoutMs: _, ...identity } = server;
  return createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 32);
}
