/** Stores the list of a server's tools in a file, so that the gym can use it while the server is down. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolders } from "../../../../sandboxes/cache-folders.js";
import { keyOf, type McpEndpoint, type McpTool } from "./server.js";

/**
 * Returns the tools of a server.
 *
 * @param isFresh true to request the list from the server and use the file as the fallback; false to read the file and
 *   use the server as the fallback
 * @throws {ServiceFailed} the server does not answer, and the file does not exist
 */
export async function listingOf(
  endpoint: McpEndpoint,
  isFresh: boolean,
  folder = listingsFolder(),
): Promise<McpTool[]> {
  const file = join(folder, `${keyOf(endpoint.server)}.json`);
  const stored = await readListing(file);
  if (stored && !isFresh) return stored;
  try {
    const listing = await asked(endpoint);
    // A gym that cannot write the file works without the file.
    await store(file, folder, listing).catch(() => {});
    return listing;
  } catch (error) {
    if (stored) return stored;
    throw error;
  }
}

function listingsFolder(): string {
  return cacheFolders("mcp")[0] as string;
}

async function asked(endpoint: McpEndpoint): Promise<McpTool[]> {
  const { signal } = new AbortController();
  const connection = await endpoint.open(signal);
  try {
    return await connection.list(signal);
  } finally {
    await connection.close();
  }
}

async function readListing(file: string): Promise<McpTool[] | undefined> {
  try {
    const stored: unknown = JSON.parse(await readFile(file, "utf8"));
    return Array.isArray(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

async function store(file: string, folder: string, listing: readonly McpTool[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  // A rename is atomic, so a reader sees either the old file or the new file.
  const own = `${file}.${process.pid}`;
  await writeFile(own, JSON.stringify(listing));
  await rename(own, file);
}
