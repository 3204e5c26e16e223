/**
 * Writes pages into an index with concurrent bulk requests. The client's own bulk helper is not suitable: it waits a
 * fixed time after status 429, gives up when a connection fails, and cannot distinguish a duplicate page from a
 * repeated request.
 */
import { z } from "zod";
import type { CorpusPage } from "../embedded/corpus-line.js";
import { passagesOf } from "../embedded/passages.js";
import { attempted, PassingFailure } from "../remote/attempts.js";
import { type Cluster, errorOf, Refused } from "./cluster.js";
import { type PassageDocument, routingOf } from "./cluster-index.js";

const bulksInFlight = 4;
/** Maximum number of documents in a request that reads or deletes documents by id. */
const mostAsked = 1_000;
const bulkTimeoutMs = 120_000;
const isPassing = (status: number) => status === 429 || status >= 500;
const conflict = 409;
const malformed = 400;

interface LoadedPage {
  line: number;
  id: string;
  passages: number;
  /** Number of passages without a final reply. */
  open: number;
  /** Ids of the page's passages that the index already contained. */
  known: string[];
  /** Reason why OpenSearch refused the page. */
  refused?: string;
}

interface Operation {
  page: LoadedPage;
  /** Id of the passage. */
  id: string;
  /** The operation as two lines of a bulk request. */
  text: string;
}

/** Result of loading a page. */
export interface Loaded {
  line: number;
  passages: number;
  /** Reason why the page was skipped. Undefined if the page is in the index. */
  refused?: string;
}

const item = z.object({ _id: z.string(), status: z.int(), error: z.unknown().optional() });
const bulkReply = z.object({ items: z.array(z.record(z.string(), item)) });
const ownersReply = z.object({
  docs: z.array(z.object({ _id: z.string(), _source: z.object({ line: z.int() }).optional() })),
});

export class BulkLoader {
  private readonly cluster: Cluster;
  private readonly index: string;
  private readonly bulkCharacters: number;
  private batch: Operation[] = [];
  private characters = 0;
  /** Line numbers of the pages without a final result, by page id. */
  private readonly unsettled = new Map<string, number>();
  private readonly flying = new Set<Promise<void>>();
  private failure: { error: unknown } | undefined;

  constructor(
    { cluster, index, bulkCharacters }: { cluster: Cluster; index: string; bulkCharacters: number },
    private readonly signal: AbortSignal,
    private readonly onLoaded: (page: Loaded) => void,
  ) {
    this.cluster = cluster;
    this.index = index;
    this.bulkCharacters = bulkCharacters;
  }

  /**
   * Adds a page. The promise resolves when few enough requests are in flight, and rejects with the error of an earlier
   * request.
   */
  async add(line: number, page: CorpusPage): Promise<void> {
    const before = this.unsettled.get(page.id);
    if (before !== undefined) return this.onLoaded({ line, passages: 0, refused: repeated(page.id, before) });
    const operations = operationsOf(line, page);
    this.unsettled.set(page.id, line);
    for (const operation of operations) {
      this.batch.push(operation);
      this.characters += operation.text.length;
      if (this.characters >= this.bulkCharacters) await this.send();
    }
  }

  /** Sends the remaining pages. Resolves when every page has a final result. */
  async flush(): Promise<void> {
    await this.send();
    await Promise.all(this.flying);
    this.throwIfFailed();
  }

  private async send(): Promise<void> {
    while (this.flying.size >= bulksInFlight) await Promise.race(this.flying);
    this.throwIfFailed();
    const batch = this.batch.splice(0);
    this.characters = 0;
    if (batch.length === 0) return;
    const flight: Promise<void> = this.load(batch)
      .catch((error) => {
        this.failure ??= { error };
      })
      .finally(() => this.flying.delete(flight));
    this.flying.add(flight);
  }

  private throwIfFailed(): void {
    if (this.failure) throw this.failure.error;
  }

  private async load(batch: Operation[]): Promise<void> {
    await this.write(batch);
    const settled = [...new Set(batch.map(({ page }) => page).filter(({ open }) => open === 0))];
    // Several requests can have passages of one page; the last request settles the page.
    for (const page of settled) page.open = -1;
    await this.settle(settled);
  }

  /** Sends operations until each has a final reply. A busy cluster may accept only a part of a request. */
  private async write(operations: Operation[]): Promise<void> {
    let left = operations;
    const ask = async () => {
      const refused: string[] = [];
      const items = await this.bulk(left.map(({ text }) => text));
      const busy = left.filter((operation, at) => {
        const { status, error } = items[at] as z.infer<typeof item>;
        if (!isPassing(status)) return void this.note(operation, status, error);
        refused.push(`status ${status}: ${errorOf({ error }).reason}`);
        return true;
      });
      left = busy;
      if (busy.length > 0) throw new PassingFailure(`${busy.length} documents refused, the first with ${refused[0]}`);
    };
    await attempted(this.cluster.service, ask, this.signal, this.cluster.retryLimits);
  }

  private note({ page, id }: Operation, status: number, error: unknown): void {
    if (status === conflict) page.known.push(id);
    else if (status === malformed)
      page.refused ??= `expected a page that OpenSearch accepts, but received its refusal: ${cause(error)}`;
    else if (status >= 300) throw new Refused(status, errorOf({ error }).type, errorOf({ error }).reason);
    page.open -= 1;
  }

  private async bulk(lines: string[]): Promise<z.infer<typeof item>[]> {
    const { index, signal } = this;
    // The client sends a string unchanged, which its types do not allow.
    const body = lines.join("") as unknown as object[];
    const answer = bulkReply.safeParse(
      await this.cluster.once((client) => client.bulk({ index, body }), signal, bulkTimeoutMs),
    );
    const items = answer.data?.items.flatMap((one) => Object.values(one)) ?? [];
    if (items.length === lines.length) return items;
    throw new Error(`expected ${lines.length} items in the reply to a bulk request, but received ${items.length}`);
  }

  /**
   * Gives each page its final result. If a passage already existed, the page was sent twice after a lost reply, or
   * another line has the same id.
   */
  private async settle(pages: LoadedPage[]): Promise<void> {
    const owners = await this.ownersOf(pages.filter(({ known }) => known.length > 0));
    for (const page of pages) {
      const other = page.known.map((id) => owners.get(id)).find((line) => line !== undefined && line !== page.line);
      if (other !== undefined) page.refused = repeated(page.id, other);
    }
    const isOwn = ({ line }: LoadedPage, id: string) => (owners.get(id) ?? line) === line;
    await this.withdraw(
      pages
        .filter(({ refused }) => refused !== undefined)
        .flatMap((page) => passageIds(page).filter((id) => isOwn(page, id))),
    );
    for (const { id, line, passages, refused } of pages) {
      this.unsettled.delete(id);
      this.onLoaded({ line, passages, ...(refused !== undefined && { refused }) });
    }
  }

  /** Returns the line number stored in each existing passage, by passage id. */
  private async ownersOf(pages: LoadedPage[]): Promise<Map<string, number>> {
    const docs = pages.flatMap(({ id, known }) =>
      known.map((_id) => ({ _id, routing: routingOf(id), _source: "line" })),
    );
    const owners = new Map<string, number>();
    const { index, signal } = this;
    for (let from = 0; from < docs.length; from += mostAsked) {
      const body = { docs: docs.slice(from, from + mostAsked) };
      const answer = await this.cluster.call((client) => client.mget({ index, body }), signal);
      for (const { _id, _source } of ownersReply.parse(answer).docs) if (_source) owners.set(_id, _source.line);
    }
    return owners;
  }

  /** Removes passages. */
  private async withdraw(ids: string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += mostAsked) {
      const some = ids.slice(from, from + mostAsked);
      const lines = some.map(
        (_id) => `${JSON.stringify({ delete: { _id, routing: _id.slice(0, _id.indexOf("-")) } })}\n`,
      );
      const ask = async () => {
        const [busy] = (await this.bulk(lines)).filter(({ status }) => isPassing(status));
        if (busy) throw new PassingFailure(`a deletion refused with status ${busy.status}`);
      };
      await attempted(this.cluster.service, ask, this.signal, this.cluster.retryLimits);
    }
  }
}

function operationsOf(line: number, { id, title, text, links }: CorpusPage): Operation[] {
  // A page with only a title gets an empty passage, so that searches find the page.
  const spans = text === "" ? [{ start: 0, length: 0 }] : passagesOf(text);
  const page: LoadedPage = { line, id, passages: spans.length, open: spans.length, known: [] };
  const routing = routingOf(id);
  return spans.map(({ start, length }, part) => {
    const document: PassageDocument = {
      page: id,
      title,
      text: text.slice(start, start + length),
      start,
      length: text.length,
      line,
      ...(part === 0 && links.length > 0 && { links }),
    };
    const action = { create: { _id: passageId(id, part), routing } };
    return { page, id: action.create._id, text: `${JSON.stringify(action)}\n${JSON.stringify(document)}\n` };
  });
}

function passageId(page: string, part: number): string {
  return `${routingOf(page)}-${part}`;
}

function passageIds({ id, passages }: LoadedPage): string[] {
  return Array.from({ length: passages }, (_, part) => passageId(id, part));
}

function repeated(id: string, line: number): string {
  return `expected a unique id, but received ${JSON.stringify(id)}, the id of line ${line}`;
}

/** Returns OpenSearch's reason for refusing a document, followed by its underlying cause. */
function cause(error: unknown): string {
  const { caused_by } = (error ?? {}) as { caused_by?: unknown };
  const beneath = caused_by ? `: ${errorOf({ error: caused_by }).reason}` : "";
  return `${errorOf({ error }).reason}${beneath}`;
}
