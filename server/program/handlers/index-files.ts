/** The command `palestra index` manages the collections of pages that environments search. */
import type { BuildOptions, BuildResult, Corpus } from "../../../envs/shared/retrieval/embedded/index-builder.js";
import type { IndexListing } from "../../../envs/shared/retrieval/embedded/indexes.js";
import type { ClusterAddress } from "../../../envs/shared/retrieval/opensearch/address.js";
import type { CallLimits, Cluster } from "../../../envs/shared/retrieval/opensearch/cluster.js";
import type { Passage } from "../../../envs/shared/retrieval/source.js";
import { Interrupted, OperatorError } from "../../config/operator-error.js";
import { counted } from "../../formats/counted.js";
import { ProgressLine } from "../terminal/progress-line.js";

/** Location of the indexes: undefined for this machine, `opensearch:URL` for a cluster. */
interface Place {
  at?: string;
}

interface BuildFlags extends Place {
  name: string;
  shards?: number;
  skipBadLines: boolean;
  restart: boolean;
  json: boolean;
}

const never = new AbortController().signal;
export async function build(
  corpus: string,
  { name, at, shards, skipBadLines, restart, json }: BuildFlags,
): Promise<void> {
  const { linesOf } = await import("../../../envs/shared/retrieval/embedded/corpus-file.js");
  const line = new ProgressLine(name);
  const stop = new AbortController();
  const onSignal = () => stop.abort(new Interrupted("The build was interrupted. The same command resumes it."));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, onSignal);
  try {
    const result = await buildAt(at, name, { name: corpus, lines: linesOf(corpus) }, shards, {
      skipsBadLines: skipBadLines,
      restarts: restart,
      onProgress: (fraction, doing) => line.show(fraction, doing),
      signal: stop.signal,
    });
    line.end();
    if (json) console.log(JSON.stringify(factsOf(name, result), null, 2));
    else tell(name, result);
  } catch (error) {
    line.end();
    if (stop.signal.aborted) throw stop.signal.reason;
    throw OperatorError.of(`the index ${name} to be built`, error);
  }
}

async function buildAt(
  at: string | undefined,
  name: string,
  corpus: Corpus,
  shards: number | undefined,
  options: BuildOptions,
): Promise<BuildResult> {
  if (at !== undefined) {
    const { buildClusterIndex, limitsOfBuilds } = await import(
      "../../../envs/shared/retrieval/opensearch/cluster-builder.js"
    );
    return inCluster(
      at,
      (cluster) => buildClusterIndex(corpus, cluster, name, { ...options, ...(shards !== undefined && { shards }) }),
      limitsOfBuilds,
    );
  }
  if (shards !== undefined)
    throw new RangeError("expected --shards together with --at opensearch:URL, but received no --at");
  const [{ buildIndex }, { indexPath }] = await Promise.all([
    import("../../../envs/shared/retrieval/embedded/index-builder.js"),
    import("../../../envs/shared/retrieval/embedded/index-schema.js"),
  ]);
  return buildIndex(corpus, indexPath(name), options);
}

function factsOf(name: string, { facts, resumedAt, bad }: BuildResult) {
  const { pages, passages, skipped } = facts;
  return { name, pages, passages, resumedAt, skipped, bad };
}

function tell(name: string, { facts, resumedAt, bad }: BuildResult): void {
  const resumed = resumedAt > 0 ? `, resumed at line ${resumedAt}` : "";
  console.log(`${name}: ${counted(facts.pages, "page")} in ${counted(facts.passages, "passage")}${resumed}`);
  if (facts.skipped > 0) console.log(`Skipped ${counted(facts.skipped, "line")}:\n  ${bad.join("\n  ")}`);
  if (bad.length < facts.skipped) console.log(`  and ${facts.skipped - bad.length} more`);
}

export async function list({ at, json }: Place & { json: boolean }): Promise<void> {
  const indexes = await attempt("the list of indexes", () => indexesAt(at));
  if (json) return console.log(JSON.stringify({ indexes }, null, 2));
  for (const { name, bytes, facts, problem } of indexes) {
    const size = `${(bytes / 2 ** 20).toFixed(1)} MiB`;
    const told = facts
      ? `${counted(facts.pages, "page")}, ${counted(facts.passages, "passage")}, of ${facts.corpus}`
      : problem;
    console.log(`${name}  ${size}  ${told}`);
  }
}

async function indexesAt(at: string | undefined): Promise<IndexListing[]> {
  if (at === undefined) return (await import("../../../envs/shared/retrieval/embedded/indexes.js")).listIndexes();
  const { listClusterIndexes } = await import("../../../envs/shared/retrieval/opensearch/cluster-indexes.js");
  return inCluster(at, (cluster) => listClusterIndexes(cluster, never));
}

export async function search(
  name: string,
  words: string[],
  { at, count, json }: Place & { count: number; json: boolean },
): Promise<void> {
  const passages = await attempt(`the index ${name}`, () => searchAt(at, name, words.join(" "), count));
  if (json) return console.log(JSON.stringify({ passages }, null, 2));
  for (const { id, title, text, score } of passages) console.log(`${title} [${id}] ${score.toFixed(2)}\n  ${text}\n`);
}

async function searchAt(at: string | undefined, name: string, query: string, count: number): Promise<Passage[]> {
  if (at === undefined)
    return (await import("../../../envs/shared/retrieval/embedded/indexes.js")).openIndex(name).search(query, count);
  const { aliasName } = await import("../../../envs/shared/retrieval/opensearch/address.js");
  const { OpenSearchSource } = await import("../../../envs/shared/retrieval/opensearch/opensearch-source.js");
  const source = new OpenSearchSource({ ...(await addressOf(at)), alias: aliasName(name) });
  return source.search(query, count, never).finally(() => source.close());
}

export async function remove(name: string, { at, json }: Place & { json: boolean }): Promise<void> {
  if (await attempt(`the index ${name} to be removed`, () => removeAt(at, name))) {
    if (json) console.log(JSON.stringify({ removed: name }));
    return;
  }
  throw new OperatorError("the name of an existing index", name);
}

async function removeAt(at: string | undefined, name: string): Promise<boolean> {
  if (at === undefined) return (await import("../../../envs/shared/retrieval/embedded/indexes.js")).removeIndex(name);
  const { removeClusterIndex } = await import("../../../envs/shared/retrieval/opensearch/cluster-indexes.js");
  return inCluster(at, (cluster) => removeClusterIndex(cluster, name, never));
}

async function inCluster<T>(at: string, use: (cluster: Cluster) => Promise<T>, limits?: CallLimits): Promise<T> {
  const { Cluster } = await import("../../../envs/shared/retrieval/opensearch/cluster.js");
  const cluster = new Cluster(await addressOf(at), limits);
  return use(cluster).finally(() => cluster.close());
}

async function addressOf(at: string): Promise<ClusterAddress> {
  const { clusterAddress, withoutPassword } = await import("../../../envs/shared/retrieval/opensearch/address.js");
  const [, url] = /^opensearch:(.+)$/.exec(at) ?? [];
  if (url === undefined)
    throw new RangeError(`expected --at opensearch:URL, but received ${JSON.stringify(withoutPassword(at))}`);
  return clusterAddress(url);
}

async function attempt<T>(expected: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    throw OperatorError.of(expected, error);
  }
}
