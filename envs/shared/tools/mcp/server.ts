/** Client for servers of the Model Context Protocol (MCP), revision 2026-07-28 and earlier. */
import { createHash } from "node:crypto";
import type { Client } from "@modelcontextprotocol/client";
import { Ajv } from "ajv";
import { ServiceFailed } from "../../../errors.js";
import { within } from "../deadline.js";
import { Secrets } from "../secrets.js";
import { boundedFetch } from "./bounded-fetch.js";
import { Places } from "./places.js";

export type McpServer = { timeoutMs: number } & (
  | { url: string; headers: Readonly<Record<string, string>> }
  | {
      command: string;
      args: readonly string[];
      env: Readonly<Record<string, string>>;
      /** Maximum number of server processes that run at a time. */
      processes: number;
    }
);

export interface McpTool {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
}

const us = { name: "palestra", version: "1" };
/** Maximum number of characters that an error quotes from its cause. */
const mostQuoted = 600;
/** Maximum time in milliseconds that a server may take to report its protocol revision. */
const mostProbeMs = 5_000;

/** A server. All connections to the server have the same settings and secrets, and count towards one limit. */
export class McpEndpoint {
  private readonly secrets: Secrets;
  private readonly places: Places;
  /**
   * Whether the server is known to use an older protocol revision. If so, it is no longer probed before each handshake.
   */
  private isOld = false;

  /** @throws {RangeError} a header is invalid or a variable is not set */
  constructor(readonly server: McpServer) {
    const name = nameOf(server);
    this.secrets = "url" in server ? Secrets.headers(server.headers, name) : Secrets.fill(server.env, name);
    this.places = new Places("url" in server ? Number.POSITIVE_INFINITY : server.processes);
  }

  /**
   * Opens a connection within the server's `timeoutMs`. If the server is a command, each connection starts one process.
   *
   * @throws {ServiceFailed} the server cannot be reached, or all its processes are in use
   * @throws the signal's reason
   */
  async open(signal: AbortSignal): Promise<McpConnection> {
    const free = await this.place(signal);
    try {
      return await this.connect(free, signal);
    } catch (error) {
      if (this.isOld || !isEndedByProbe(error)) throw error;
      // Some older servers exit when they receive a request before the handshake.
      return await this.connect(await this.place(signal), signal, true);
    }
  }

  failure(error: unknown, signal: AbortSignal, complaint = ""): unknown {
    if (signal.aborted) return signal.reason;
    const message = [(error as Error).message, complaint].filter((text) => text !== "").join(": ");
    const quoted = this.secrets.hide(message).slice(0, mostQuoted).toWellFormed();
    return new ServiceFailed(`a reply of ${nameOf(this.server)}`, quoted, error);
  }

  private async place(signal: AbortSignal): Promise<() => void> {
    const { timeoutMs } = this.server;
    try {
      return await within(timeoutMs, signal, (deadline) => this.places.take(deadline));
    } catch (error) {
      signal.throwIfAborted();
      const { processes } = this.server as { processes: number };
      const received = `no free process within ${timeoutMs} ms. Close episodes, or increase \`processes\``;
      throw new ServiceFailed(`one of the ${processes} processes of ${nameOf(this.server)}`, received, error);
    }
  }

  private async connect(free: () => void, signal: AbortSignal, isOld = this.isOld): Promise<McpConnection> {
    const { timeoutMs } = this.server;
    const { client, transport } = await this.parts(isOld);
    const complaint = () => (transport as { complaint?: string }).complaint ?? "";
    try {
      await within(timeoutMs, signal, (deadline) =>
        client.connect(transport, { timeout: timeoutMs, signal: deadline }),
      );
      this.isOld = client.getProtocolEra() === "legacy";
      return new McpConnection(this, client, complaint, free);
    } catch (error) {
      await client.close().catch(() => {});
      await transport.close().catch(() => {});
      free();
      throw this.failure(error, signal, complaint());
    }
  }

  private async parts(isOld: boolean) {
    // The library is loaded on first use, since most gyms have no MCP server.
    const { Client } = await import("@modelcontextprotocol/client");
    const { AjvJsonSchemaValidator } = await import("@modelcontextprotocol/client/validators/ajv");
    const { timeoutMs } = this.server;
    // A process that does not answer the probe is treated as a server of an older revision. A server over HTTP has to
    // answer.
    const probe = { timeoutMs: "url" in this.server ? timeoutMs : Math.min(mostProbeMs, Math.ceil(timeoutMs / 3)) };
    const client = new Client(us, {
      versionNegotiation: isOld ? { mode: "legacy" } : { mode: "auto", probe },
      // The library's default validator logs a warning for every format that it does not know.
      jsonSchemaValidator: new AjvJsonSchemaValidator(new Ajv({ strict: false, validateFormats: false })),
    });
    return { client, transport: await this.transport() };
  }

  private async transport() {
    const { server } = this;
    if ("url" in server) {
      const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
      // A redirect could lead to an address inside the host's network and disclose the headers.
      const requestInit = { headers: this.secrets.values, redirect: "error" } as const;
      return new StreamableHTTPClientTransport(new URL(server.url), { requestInit, fetch: boundedFetch });
    }
    const { ServerProcess } = await import("./process.js");
    const { getDefaultEnvironment } = await import("@modelcontextprotocol/client/stdio");
    // The server does not inherit the gym's variables, which may hold tokens.
    const env = { ...getDefaultEnvironment(), ...this.secrets.values };
    return new ServerProcess({ command: server.command, args: server.args, env });
  }
}

/** One connection to a server. If the server is a command, the connection has its own process. */
export class McpConnection {
  constructor(
    private readonly endpoint: McpEndpoint,
    private readonly client: Client,
    private readonly complaint: () => string,
    private readonly free: () => void,
  ) {}

  /**
   * Returns all tools of the server, from all pages of its list.
   *
   * @throws {ServiceFailed} the server failed
   * @throws the signal's reason
   */
  async list(signal: AbortSignal): Promise<McpTool[]> {
    const { timeoutMs } = this.endpoint.server;
    try {
      const { tools } = await within(timeoutMs, signal, (deadline) =>
        this.client.listTools(undefined, { timeout: timeoutMs, signal: deadline }),
      );
      return tools.map(({ name, description = "", inputSchema }) => ({ name, description, inputSchema }));
    } catch (error) {
      throw this.endpoint.failure(error, signal, this.complaint());
    }
  }

  /**
   * Calls a tool and returns the result in the format of the protocol.
   *
   * @throws {ServiceFailed} the server failed
   * @throws the signal's reason
   */
  async call(name: string, given: Readonly<Record<string, unknown>>, signal: AbortSignal) {
    const { timeoutMs } = this.endpoint.server;
    try {
      return await this.client.callTool({ name, arguments: { ...given } }, { timeout: timeoutMs, signal });
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal !== undefined) return { content: [{ type: "text" as const, text: refusal }], isError: true };
      throw this.endpoint.failure(error, signal, this.complaint());
    }
  }

  async close(): Promise<void> {
    await this.client.close().catch(() => {});
    this.free();
  }
}

/** Returns a name of the server for errors. It omits the query of the server's URL, which may contain a key. */
export function nameOf(server: McpServer): string {
  if (!("url" in server)) return `the MCP server ${[server.command, ...server.args].join(" ")}`;
  const { origin, pathname } = new URL(server.url);
  return `the MCP server ${origin}${pathname}`;
}

/** Returns a short hash of all settings that identify the server. */
export function keyOf({ timeoutMs: _, ...server }: McpServer): string {
  const { processes: __, ...identity } = server as { processes?: number };
  return createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 32);
}

/**
 * JSON-RPC error codes of requests that the server understood but refused. The agent sees these errors, and the step
 * does not fail.
 */
const refusals: ReadonlySet<unknown> = new Set([-32602, -32600]);

function refusalOf(error: unknown): string | undefined {
  const { code, message } = error as { code?: unknown; message?: string };
  return refusals.has(code) ? message : undefined;
}

/**
 * Returns whether the probe may have ended the server. A server that starts slowly reads the probe only after the
 * handshake has been sent, so that the handshake fails with a closed connection.
 */
function isEndedByProbe(error: unknown): boolean {
  const code = ((error as Error).cause as { code?: unknown } | undefined)?.code;
  return code === "ERA_NEGOTIATION_FAILED" || code === "CONNECTION_CLOSED";
}
