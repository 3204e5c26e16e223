/** What tools a server has, kept in a file: a gym whose server is away still knows its episodes' tools. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolders } from "../../../sandboxes/cache-folders.js";
import { keyOf, McpConnection, type McpServer, type McpTool } from "./server.js";

/**
 * @param isFresh asks the server, and takes the file only where it does not answer; else the other way round
 * @throws {ServiceFailed} the server does not answer, and never did
 */
export async function listingOf(server: McpServer, isFresh: boolean, folder = listingsFolder()): Promise<McpTool[]> {
  const file = join(folder, `${keyOf(server)}.json`);
  const kept = await readListing(file);
  if (kept && !isFresh) return kept;
  try {
    const listing = await asked(server);
    // A gym that cannot keep it does without.
    await keep(file, folder, listing).catch(() => {});
    return listing;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

function listingsFolder(): string {
  return cacheFolders("mcp")[0] as string;
}

async function asked(server: McpServer): Promise<McpTool[]> {
  const { signal } = new AbortController();
  const connection = await McpConnection.open(server, signal);
  try {
    return await connection.list(signal);
  } finally {
    await connection.close();
  }
}

async function readListing(file: string): Promise<McpTool[] | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as McpTool[];
  } catch {
    return undefined;
  }
}

async function keep(file: string, folder: string, listing: readonly McpTool[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  // Whole or not at all, whoever else writes it.
  const own = `${file}.${process.pid}`;
  await writeFile(own, JSON.stringify(listing));
  await rename(own, file);
}
