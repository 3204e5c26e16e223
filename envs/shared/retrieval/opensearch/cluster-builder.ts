/**
 * Builds indexes in OpenSearch. The builder creates an index with a new name, and moves the alias to it when it is
 * complete. Until then, searches use the old index. An interrupted build resumes from the state that was last saved in
 * the `_meta` field of the unfinished index.
 */
import { createHash, type Hash, randomUUID } from "node:crypto";
import { z } from "zod";
import { ServiceFailed } from "../../../errors.js";
import { BadLine, parseLine } from "../embedded/corpus-line.js";
import { BuildFailed, type BuildOptions, type BuildResult, type Corpus } from "../embedded/index-builder.js";
import { aliasName } from "./address.js";
import { BulkLoader, type Loaded } from "./bulk-loader.js";
import { type CallLimits, type Cluster, Refused } from "./cluster.js";
import {
  clusterSchemaVersion,
  factsOf,
  type IndexState,
  indexBody,
  metaOf,
  statesOf,
  wholeSettings,
} from "./cluster-index.js";
import { type ClusterIndex, deleteIndex, indexesBehind, indexesOf } from "./cluster-indexes.js";

export interface ClusterBuildOptions extends BuildOptions {
  /** Number of shards of a new index. */
  shards?: number;
  /** Approximate size of a bulk request in characters. Some clusters accept at most 10 MB. */
  bulkCharacters?: number;
  /**
   * Number of corpus characters after which the state is saved. A resumed build indexes at most this number of
   * characters again.
   */
  stateCharacters?: number;
}

/** Retries of a build's requests. They last about a minute, which is enough for a node to restart. */
export const limitsOfBuilds: CallLimits = { attempts: 10, pauseMs: 500, timeoutMs: 60_000 };

const defaultStateCharacters = 2 ** 26;
const defaultBulkCharacters = 2 ** 22;
/** Number of corpus characters between progress reports. */
const toldCharacters = 2 ** 24;
const mostBadTold = 10;
const shareOfReading = 0.95;
/** Timeout in milliseconds of calls whose duration depends on the size of the index. */
const longMs = 600_000;

const countReply = z.object({ count: z.int() });

/** Builds an index. @param alias alias under which environments search the index */
export async function buildClusterIndex(
  corpus: Corpus,
  cluster: Cluster,
  alias: string,
  options: ClusterBuildOptions = {},
): Promise<BuildResult> {
  const signal = options.signal ?? new AbortController().signal;
  try {
    const old = await expectOwnAlias(cluster, aliasName(alias), signal);
    const begun = await beginning(cluster, alias, old, corpus.name, options, signal);
    const build = new ClusterBuild(cluster, corpus.name, begun, options, signal);
    await build.read(corpus.lines);
    const result = await build.finish();
    await moveAlias(cluster, alias, old, begun.index, signal);
    return result;
  } catch (error) {
    if (!(error instanceof ServiceFailed)) throw error;
    throw new BuildFailed(`${error.message}. Run the same command again to resume the build`, { cause: error });
  }
}

class ClusterBuild {
  private readonly hash: Hash = createHash("sha256");
  private readonly bad: string[] = [];
  private readonly loader: BulkLoader;
  private readonly index: string;
  private readonly state: IndexState;
  private readonly resumedAt: number;
  private readonly isNew: boolean;

  constructor(
    private readonly cluster: Cluster,
    private readonly corpus: string,
    { index, state, isNew }: Beginning,
    private readonly options: ClusterBuildOptions,
    private readonly signal: AbortSignal,
  ) {
    this.index = index;
    this.state = state;
    this.resumedAt = state.line;
    this.isNew = isNew;
    const { bulkCharacters = defaultBulkCharacters } = options;
    this.loader = new BulkLoader({ cluster, index, bulkCharacters }, signal, (page) => this.count(page));
  }

  async read(lines: AsyncIterable<{ number: number; text: string; fraction: number }>): Promise<void> {
    const { state, resumedAt, signal } = this;
    const { stateCharacters = defaultStateCharacters } = this.options;
    const wasRead = state.isRead;
    if (!wasRead && !this.isNew) await this.forgetBeyond(resumedAt);
    let [last, unkept, untold] = [0, 0, 0];
    for await (const { number, text, fraction } of lines) {
      signal.throwIfAborted();
      this.hash.update(text).update("\n");
      last = number;
      if (number === resumedAt) this.expectSameCorpus();
      if (number <= resumedAt) continue;
      if (wasRead) throw this.changed(`more than ${resumedAt} lines`);
      await this.take(number, text);
      unkept += text.length;
      untold += text.length;
      if (unkept >= stateCharacters) {
        unkept = 0;
        await this.keep(number);
      }
      if (untold < toldCharacters) continue;
      untold = 0;
      this.options.onProgress?.(fraction * shareOfReading, `${state.pages} pages`);
    }
    if (last < resumedAt) throw this.changed(`${last} lines`);
    if (!wasRead) await this.keep(last, true);
  }

  async finish(): Promise<BuildResult> {
    const { cluster, index, state, signal } = this;
    if (state.pages === 0) throw new BuildFailed(`expected pages in ${this.corpus}, but the corpus has none`);
    this.options.onProgress?.(shareOfReading, "checking");
    await this.expectOnlyBuilder();
    await cluster.call((client) => client.indices.refresh({ index }), signal, { timeoutMs: longMs });
    await this.expectCount("passages", state.passages, { match_all: {} });
    await this.expectCount("pages", state.pages, { term: { start: 0 } });
    Object.assign(state, { isWhole: true, builtAt: new Date().toISOString() });
    await this.putState();
    await cluster.call((client) => client.indices.putSettings({ index, body: wholeSettings }), signal);
    return { facts: factsOf(state), resumedAt: this.resumedAt, bad: this.bad };
  }

  private async take(number: number, text: string): Promise<void> {
    try {
      await this.loader.add(number, parseLine(text));
    } catch (error) {
      if (!(error instanceof BadLine)) throw error;
      this.count({ line: number, passages: 0, refused: error.message });
    }
  }

  /** Records the final result of a page. Results arrive in any order. */
  private count({ line, passages, refused }: Loaded): void {
    const { state } = this;
    if (refused === undefined) {
      state.pages += 1;
      state.passages += passages;
      return;
    }
    const told = `line ${line}: ${refused}`;
    if (!this.options.skipsBadLines)
      throw new BuildFailed(`${this.corpus}, ${told}. Correct the line, or skip invalid lines with --skip-bad-lines`);
    state.skipped += 1;
    if (this.bad.length < mostBadTold) this.bad.push(told);
  }

  /** Waits until all pages up to the line are written, and saves the state. */
  private async keep(line: number, isRead = false): Promise<void> {
    await this.loader.flush();
    await this.expectOnlyBuilder();
    Object.assign(this.state, { line, isRead, digest: this.hash.copy().digest("hex") });
    await this.putState();
  }

  private async putState(): Promise<void> {
    const { index, state, signal } = this;
    await this.cluster.call((client) => client.indices.putMapping({ index, body: metaOf(state) }), signal);
  }

  private async expectOnlyBuilder(): Promise<void> {
    const { index, signal } = this;
    const answer = await this.cluster.call((client) => client.indices.getMapping({ index }), signal);
    if (statesOf(answer).get(index)?.builder === this.state.builder) return;
    throw new BuildFailed(`Another process is building ${index}. Wait until that build has ended`);
  }

  /**
   * Removes the passages after a line, which were written after the state was saved: the corpus may have changed since
   * then.
   */
  private async forgetBeyond(line: number): Promise<void> {
    const { cluster, index, signal } = this;
    await cluster.call((client) => client.indices.refresh({ index }), signal, { timeoutMs: longMs });
    const body = { query: { range: { line: { gt: line } } } };
    const request = { index, body, refresh: true, conflicts: "proceed" as const };
    await cluster.call((client) => client.deleteByQuery(request), signal, { timeoutMs: longMs });
  }

  private async expectCount(what: string, expected: number, query: Record<string, unknown>): Promise<void> {
    const { index, signal } = this;
    const answer = await this.cluster.call((client) => client.count({ index, body: { query } }), signal, {
      timeoutMs: longMs,
    });
    const { count } = countReply.parse(answer);
    if (count === expected) return;
    throw new BuildFailed(
      `expected ${expected} ${what} in ${index}, but received ${count}. Start a new build with --restart`,
    );
  }

  private expectSameCorpus(): void {
    if (this.hash.copy().digest("hex") !== this.state.digest) throw this.changed("different content up to that line");
  }

  private changed(received: string): BuildFailed {
    const expected = `the corpus of the build that was interrupted at line ${this.resumedAt}`;
    return new BuildFailed(`expected ${expected}, but received ${received}. Start a new build with --restart`);
  }
}

/**
 * Returns the indexes of an alias. @throws {BuildFailed} the name belongs to an index, or the alias contains an index
 * that `palestra index build` did not make
 */
async function expectOwnAlias(cluster: Cluster, alias: string, signal: AbortSignal): Promise<string[]> {
  const behind = await indexesBehind(cluster, alias, signal);
  if (behind.length === 0) {
    const isIndex = await cluster.call((client) => client.indices.exists({ index: alias }), signal);
    if (isIndex === true)
      throw new BuildFailed(
        `expected ${alias} to be available as an alias, but an index already has this name. Choose a different --name`,
      );
  }
  const own = (await indexesOf(cluster, alias, signal)).map(({ index }) => index);
  const foreign = behind.find((index) => !own.includes(index));
  if (foreign === undefined) return behind;
  throw new BuildFailed(
    `expected the alias ${alias} to point to an index made by \`palestra index build\`, but received ${foreign}. Choose a different --name`,
  );
}

interface Beginning extends ClusterIndex {
  isNew: boolean;
}

/** Returns the index of an interrupted build, or creates a new index. */
async function beginning(
  cluster: Cluster,
  alias: string,
  served: readonly string[],
  corpus: string,
  { restarts, shards = 1 }: ClusterBuildOptions,
  signal: AbortSignal,
): Promise<Beginning> {
  const all = await indexesOf(cluster, alias, signal);
  const last = all.at(-1);
  const builder = randomUUID();
  if (last && !served.includes(last.index) && !restarts) {
    const { index } = last;
    if (last.state.schema !== clusterSchemaVersion)
      throw new BuildFailed(
        `expected an interrupted build of schema ${clusterSchemaVersion} in ${index}, but received schema ${last.state.schema}. Start a new build with --restart`,
      );
    const state = { ...last.state, builder };
    await cluster.call((client) => client.indices.putMapping({ index, body: metaOf(state) }), signal);
    return { index, state, isNew: false };
  }
  for (const { index } of all) if (!served.includes(index)) await deleteIndex(cluster, index, signal);
  const builtAt = new Date().toISOString();
  const index = `${alias}-${builtAt.toLowerCase().replace(/[^0-9a-z]/g, "")}`;
  const counts = { line: 0, isRead: false, pages: 0, passages: 0, skipped: 0, digest: "" };
  const state = { name: alias, schema: clusterSchemaVersion, corpus, isWhole: false, builder, ...counts, builtAt };
  await createIndex(cluster, index, indexBody(state, shards), signal);
  return { index, state, isNew: true };
}

async function createIndex(cluster: Cluster, index: string, body: ReturnType<typeof indexBody>, signal: AbortSignal) {
  try {
    await cluster.call((client) => client.indices.create({ index, body }), signal);
  } catch (error) {
    // An earlier attempt, whose reply was lost, has made the index: no other build uses the name.
    const { cause } = error as Error;
    if (!(cause instanceof Refused && cause.type === "resource_already_exists_exception")) throw error;
  }
}

/** Moves the alias to the new index in one atomic change, and then removes the old indexes. */
async function moveAlias(
  cluster: Cluster,
  alias: string,
  old: readonly string[],
  index: string,
  signal: AbortSignal,
): Promise<void> {
  const removed = old.filter((one) => one !== index).map((one) => ({ remove: { index: one, alias } }));
  const actions = [...removed, { add: { index, alias } }];
  try {
    await cluster.call((client) => client.indices.updateAliases({ body: { actions } }), signal);
  } catch (error) {
    // An earlier attempt, whose reply was lost, may have moved the alias.
    const behind = await indexesBehind(cluster, alias, signal);
    if (behind.length !== 1 || behind[0] !== index) throw error;
  }
  for (const { index: one } of await indexesOf(cluster, alias, signal))
    if (one !== index) await deleteIndex(cluster, one, signal);
}
