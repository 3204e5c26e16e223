/**
 * HTTP server for the pages. Each process runs one server on a local port, and the browser sessions of the process load
 * the pages from it.
 */
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, resolve, sep } from "node:path";
import { pageFolder } from "./folder.js";

/** Host name of the server, as browser sessions see it. */
export const host = "miniwob.test";

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".gif": "image/gif",
  ".jpg": "image/jpeg",
  ".svg": "image/svg+xml",
  ".ico": "image/x-icon",
};

let started: Promise<string> | undefined;

/**
 * Returns the address `127.0.0.1:port`. The first call starts the server. The process can exit while the server runs.
 */
export function serverAddress(): Promise<string> {
  started ??= start().catch((error: unknown) => {
    started = undefined;
    throw error;
  });
  return started;
}

async function start(): Promise<string> {
  const server: Server = createServer((request, reply) => void answer(request, reply));
  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.listen(0, "127.0.0.1", done);
  });
  server.unref();
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function answer({ method, url }: IncomingMessage, reply: ServerResponse): Promise<void> {
  const path = fileOf(url ?? "/", pageFolder());
  const type = path === undefined ? undefined : contentTypes[extname(path)];
  if ((method !== "GET" && method !== "HEAD") || path === undefined || type === undefined) return refuse(reply);
  try {
    const content = await readFile(path);
    reply.writeHead(200, { "content-type": type, "cache-control": "max-age=3600" });
    reply.end(method === "HEAD" ? undefined : content);
  } catch {
    refuse(reply);
  }
}

function refuse(reply: ServerResponse): void {
  reply.writeHead(404, { "content-type": "text/plain; charset=utf-8" });
  reply.end("There is no such page.\n");
}

/** Returns the file for the path of a URL, or undefined if the path is outside the folder. */
export function fileOf(url: string, folder: string): string | undefined {
  try {
    const root = resolve(folder);
    const path = resolve(root, `.${decodeURIComponent(new URL(url, `http://${host}`).pathname)}`);
    return path.startsWith(root + sep) && !path.includes("\0") ? path : undefined;
  } catch {
    return undefined;
  }
}
