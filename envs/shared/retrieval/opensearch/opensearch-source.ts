/** A source that searches an index of an OpenSearch cluster, for corpora that are too large for one machine. */
import { z } from "zod";
import { ServiceFailed } from "../../../errors.js";
import { type PageWindow, type Passage, type Source, windowCharacters, windowOf } from "../source.js";
import type { AliasAddress } from "./address.js";
import { type CallLimits, Cluster, Refused } from "./cluster.js";
import {
  clusterSchemaVersion,
  type PassageDocument,
  passageDocument,
  routingOf,
  statesOf,
  titleWeight,
} from "./cluster-index.js";

/** Maximum number of characters of a query that are used. The rest is ignored. */
const mostQueryCharacters = 4_096;
/**
 * Maximum number of different words of a query. Each word gives a clause for each of two fields, and a cluster allows
 * 1,024 clauses.
 */
const mostWords = 256;
/** Number of passages fetched per result, since several passages may belong to the same page. */
const passagesPerPage = 4;
const mostPassageCharacters = 1_500;
/** Maximum offset: larger than the text of every page, and within the range of OpenSearch's integers. */
const mostOffset = 2 ** 30;
/**
 * Maximum number of passages requested for a window. A window overlaps fewer, since each passage except the last has at
 * least 500 characters.
 */
const mostPassagesOfWindow = 32;

/** Matches the words of a query. As in OpenSearch's standard tokenizer, each Han or Hiragana character is a word. */
const wordPattern = /[\p{sc=Han}\p{sc=Hiragana}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}])[\p{L}\p{N}\p{Co}\p{M}])+/gu;

const reply = z.object({
  timed_out: z.literal(false),
  hits: z.object({ hits: z.array(z.object({ _score: z.number().nullable(), _source: passageDocument })) }),
});

export class OpenSearchSource implements Source {
  private readonly cluster: Cluster;
  private isChecked = false;

  constructor(
    private readonly address: AliasAddress,
    limits?: CallLimits,
  ) {
    this.cluster = new Cluster(address, limits);
  }

  async search(query: string, k: number, signal: AbortSignal): Promise<Passage[]> {
    const words = wordsOf(query);
    if (words.length === 0) return [];
    const hits = await this.hits(searchBody(words.join(" "), k * passagesPerPage), {}, signal);
    const found = new Map<string, Passage>();
    for (const { _score, _source } of hits) {
      const { page: id, title, text } = _source;
      if (!found.has(id)) found.set(id, { id, title, text: text.trim(), score: _score ?? 0 });
      if (found.size === k) break;
    }
    return [...found.values()];
  }

  async open(id: string, offset: number, signal: AbortSignal): Promise<PageWindow | null> {
    const from = Math.min(Math.max(0, Math.trunc(offset)), mostOffset);
    const hits = await this.hits(windowBody(id, from), { routing: routingOf(id) }, signal);
    const [first, ...others] = hits.map(({ _source }) => _source);
    if (!first) return null;
    // The first passage has the links, so the first passage is requested for every window.
    const inWindow = [first, ...others].filter(({ start }) => start > from - mostPassageCharacters);
    return this.windowOf(first, inWindow, from);
  }

  close(): Promise<void> {
    return this.cluster.close();
  }

  private windowOf(first: PassageDocument, passages: PassageDocument[], offset: number): PageWindow {
    const { page: id, title, length, links = [] } = first;
    const at = Math.min(offset, length);
    const begin = passages[0]?.start ?? at;
    const text = passages.map((one) => one.text).join("");
    const isGapless = passages.every(
      (one, place) => place === 0 || one.start === sum(passages.slice(0, place)) + begin,
    );
    const wanted = Math.min(length, at + windowCharacters);
    if (first.start !== 0 || !isGapless || (passages.length > 0 && begin + text.length < wanted))
      throw new ServiceFailed(
        `${this.name} to have all passages of the page ${JSON.stringify(id)} without gaps`,
        `${passages.length} passages with gaps. Build the index again with \`palestra index build\``,
      );
    return { ...windowOf({ id, title, text, links }, at - begin), offset: at, length };
  }

  private get name(): string {
    return `the index ${this.address.alias} of ${this.cluster.service}`;
  }

  private async hits(body: Record<string, unknown>, routing: { routing?: string }, signal: AbortSignal) {
    await this.check(signal);
    const index = this.address.alias;
    const limits = { index, allow_partial_search_results: false, ...routing };
    const answer = await this.cluster.call((client) => client.search({ ...limits, body }), signal);
    const found = reply.safeParse(answer);
    if (!found.success)
      throw new ServiceFailed(`${this.name} to reply with passages`, z.prettifyError(found.error), found.error);
    return found.data.hits.hits;
  }

  /**
   * Checks that the alias points to an index made by `palestra index build`. A search in any other index would find
   * nothing without reporting an error.
   */
  private async check(signal: AbortSignal): Promise<void> {
    if (this.isChecked) return;
    await this.expectOurs(signal);
    this.isChecked = true;
  }

  private async expectOurs(signal: AbortSignal): Promise<void> {
    const { alias } = this.address;
    const build = `build it with \`palestra index build FILE --name ${alias} --at opensearch:${this.address.url}\``;
    const states = await this.cluster
      .call((client) => client.indices.getMapping({ index: alias }), signal)
      .then(statesOf, (error) => {
        const isMissing = error.cause instanceof Refused && error.cause.status === 404;
        throw isMissing ? new ServiceFailed(this.name, `no index or alias of this name: ${build}`, error.cause) : error;
      });
    const [state, ...more] = states.values();
    if (!state || more.length > 0)
      throw new ServiceFailed(
        `${this.name} to be made by \`palestra index build\``,
        `${told([...states.keys()])}: ${build}`,
      );
    if (state.schema !== clusterSchemaVersion)
      throw new ServiceFailed(
        `${this.name} to have schema ${clusterSchemaVersion}`,
        `schema ${state.schema}: ${build}`,
      );
  }
}

function told(indexes: string[]): string {
  return indexes.length === 1 ? `the index ${indexes[0]} of another program` : `${indexes.length} indexes`;
}

function wordsOf(query: string): string[] {
  return [...new Set(query.slice(0, mostQueryCharacters).match(wordPattern))].slice(0, mostWords);
}

function searchBody(query: string, size: number) {
  return {
    size,
    track_total_hits: false,
    query: { multi_match: { query, type: "most_fields", fields: [`title^${titleWeight}`, "text"] } },
    // Passages with equal scores are in the order of the corpus, independent of the replica that answers.
    sort: [{ _score: "desc" }, { line: "asc" }, { start: "asc" }],
  };
}

/**
 * Returns a query for the passages that overlap the window at an offset, and for the page's first passage, which
 * contains the links.
 */
function windowBody(id: string, offset: number) {
  const touches = { range: { start: { gt: offset - mostPassageCharacters, lt: offset + windowCharacters } } };
  const should = [touches, { term: { start: 0 } }];
  return {
    size: mostPassagesOfWindow,
    track_total_hits: false,
    query: { bool: { filter: [{ term: { page: id } }, { bool: { should, minimum_should_match: 1 } }] } },
    sort: [{ start: "asc" }],
  };
}

function sum(passages: PassageDocument[]): number {
  return passages.reduce((total, { text }) => total + text.length, 0);
}
