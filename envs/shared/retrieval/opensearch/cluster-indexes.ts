/** The indexes of a cluster, complete or unfinished, that `palestra index build` made, and their aliases. */
import { z } from "zod";
import type { IndexListing } from "../embedded/indexes.js";
import { aliasName } from "./address.js";
import { type Cluster, Refused } from "./cluster.js";
import { factsOf, type IndexState, statesOf } from "./cluster-index.js";

/** An index that `palestra index build` made. */
export interface ClusterIndex {
  /** Name of the index, such as `wiki-20260131t120000000z`. */
  index: string;
  state: IndexState;
}

const aliasesReply = z.record(z.string(), z.object({ aliases: z.record(z.string(), z.unknown()) }));
const statsReply = z.object({
  indices: z.record(z.string(), z.object({ total: z.object({ store: z.object({ size_in_bytes: z.number() }) }) })),
});

const sizes = "indices.*.total.store.size_in_bytes";

/** Returns all indexes for an alias, complete or unfinished, the oldest first. */
export async function indexesOf(cluster: Cluster, alias: string, signal: AbortSignal): Promise<ClusterIndex[]> {
  const all = await ours(cluster, `${aliasName(alias)}-*`, signal);
  return all.filter(({ state }) => state.name === alias);
}

/** Returns the names of the indexes that an alias points to. @throws {ServiceFailed} as `Cluster.call` */
export async function indexesBehind(cluster: Cluster, alias: string, signal: AbortSignal): Promise<string[]> {
  try {
    const answer = await cluster.call((client) => client.indices.getAlias({ name: aliasName(alias) }), signal);
    return Object.keys(aliasesReply.parse(answer));
  } catch (error) {
    if ((error as Error).cause instanceof Refused && ((error as Error).cause as Refused).status === 404) return [];
    throw error;
  }
}

export async function listClusterIndexes(cluster: Cluster, signal: AbortSignal): Promise<IndexListing[]> {
  const all = await ours(cluster, "*", signal);
  if (all.length === 0) return [];
  const stats = statsReply.parse(
    await cluster.call((client) => client.indices.stats({ metric: "store", filter_path: sizes }), signal),
  );
  const served = new Set<string>();
  for (const alias of new Set(all.map(({ state }) => state.name)))
    for (const index of await indexesBehind(cluster, alias, signal)) served.add(index);
  return all.map(({ index, state }) => ({
    name: state.name,
    bytes: stats.indices[index]?.total.store.size_in_bytes ?? 0,
    ...(served.has(index) ? { facts: factsOf(state) } : { problem: unserved(index, state) }),
  }));
}

/** Removes all indexes of an alias, complete or unfinished. @returns whether any existed */
export async function removeClusterIndex(cluster: Cluster, alias: string, signal: AbortSignal): Promise<boolean> {
  const indexes = await indexesOf(cluster, alias, signal);
  for (const { index } of indexes) await deleteIndex(cluster, index, signal);
  return indexes.length > 0;
}

/** Deletes an index and its aliases. */
export async function deleteIndex(cluster: Cluster, index: string, signal: AbortSignal): Promise<void> {
  await cluster.call((client) => client.indices.delete({ index, ignore_unavailable: true }), signal);
}

async function ours(cluster: Cluster, pattern: string, signal: AbortSignal): Promise<ClusterIndex[]> {
  const answer = await cluster.call(
    (client) => client.indices.getMapping({ index: pattern, filter_path: "*.mappings._meta" }),
    signal,
  );
  return [...statesOf(answer)]
    .flatMap(([index, state]) => (state ? [{ index, state }] : []))
    .sort((a, b) => (a.index < b.index ? -1 : 1));
}

function unserved(index: string, { line, isWhole }: IndexState): string {
  if (isWhole) return `${index}, which the alias has left: \`palestra index build\` removes it`;
  return `${index}, a build that has come to line ${line}: the same command goes on there`;
}
