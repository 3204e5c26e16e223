/** Searches during faults: a full disk, a slow or faulty server, a lost thread, a replaced index. */
import { setMaxListeners } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ServiceFailed } from "#palestra/envs/errors.js";
import { Answers, CachedSource } from "#palestra/envs/shared/retrieval/cached-source.js";
import { linesOf } from "#palestra/envs/shared/retrieval/embedded/corpus-file.js";
import { EmbeddedSource } from "#palestra/envs/shared/retrieval/embedded/embedded-source.js";
import { buildIndex } from "#palestra/envs/shared/retrieval/embedded/index-builder.js";
import { SearchPool } from "#palestra/envs/shared/retrieval/embedded/search-pool.js";
import { KeptPages } from "#palestra/envs/shared/retrieval/remote/kept-pages.js";
import { RetrieveServer } from "#palestra/envs/shared/retrieval/remote/retrieve-server.js";
import type { Source } from "#palestra/envs/shared/retrieval/source.js";
import { TestRetrieveServer } from "../../../support/retrieve-server.js";
import { scratch } from "../../../support/serving.js";
import { SmallDisk } from "../../../support/small-disk.js";

const signal = () => new AbortController().signal;

function writeCorpus(folder: string, pages: number, words: string): string {
  const path = join(folder, "corpus.jsonl");
  const text = words.repeat(40);
  const lines = Array.from({ length: pages }, (_, at) => JSON.stringify({ id: `p${at}`, title: `Page ${at}`, text }));
  writeFileSync(path, lines.join("\n"));
  return path;
}

const build = (corpus: string, index: string) => buildIndex({ name: corpus, lines: linesOf(corpus) }, index);

function sourceAt(index: string): EmbeddedSource {
  return new EmbeddedSource("mine", async () => index);
}

describe("an index", () => {
  test("serves while a rebuild has filled the disk, and the build resumes once there is room", async (context) => {
    const disk = SmallDisk.mount(context, 8);
    const index = join(disk.path, "index.sqlite");
    const corpora = scratch();
    await build(writeCorpus(corpora, 3, "the old words "), index);
    const source = sourceAt(index);
    const large = writeCorpus(corpora, 4_000, "some new words of a text ");
    const full =
      /^expected free disk space for .*, but the disk is full\. Free some space\. Run the same command again/;
    await expect(build(large, index)).rejects.toThrow(full);
    disk.fill();
    await expect(build(large, index)).rejects.toThrow(full);
    expect(await source.search("old", 3, signal())).toHaveLength(3);
    expect((await source.open("p1", 0, signal()))?.text).toContain("the old words");
    disk.enlarge(64);
    await build(large, index);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await source.search("new", 3, signal())).toHaveLength(3);
  });

  test("that is replaced during searches answers each of them from the old index or from the new one alone", async () => {
    const folder = scratch();
    const index = join(folder, "index.sqlite");
    await build(writeCorpus(folder, 50, "shared old "), index);
    const source = sourceAt(index);
    const seen = new Set<string>();
    let isBuilt = false;
    const searching = Array.from({ length: 8 }, async () => {
      for (let more = 3; more > 0; more -= isBuilt ? 1 : 0) {
        const found = await source.search("shared", 5, signal());
        const kinds = new Set(found.map(({ text }) => (text.includes("old") ? "old" : "new")));
        expect([found.length, kinds.size]).toEqual([5, 1]);
        seen.add([...kinds][0] as string);
        if (isBuilt) await new Promise((resolve) => setTimeout(resolve, 600));
      }
    });
    // On a busy machine, the index could be replaced before the first search reads it.
    while (seen.size === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await build(writeCorpus(folder, 60, "shared new "), index);
    isBuilt = true;
    await Promise.all(searching);
    expect([...seen].sort()).toEqual(["new", "old"]);
  });

  test("that is missing or corrupt fails the search as a fault of the service", async () => {
    const folder = scratch();
    const broken = join(folder, "broken.sqlite");
    writeFileSync(broken, "no database".repeat(1_000));
    for (const path of [join(folder, "none.sqlite"), broken])
      await expect(sourceAt(path).search("word", 3, signal())).rejects.toThrow(ServiceFailed);
  });

  test("whose file is deleted can still be searched by open readers", async () => {
    const folder = scratch();
    const index = join(folder, "index.sqlite");
    await build(writeCorpus(folder, 3, "kept words "), index);
    const source = sourceAt(index);
    await source.search("kept", 3, signal());
    rmSync(index);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await source.search("kept", 3, signal())).toHaveLength(3);
  });
});

describe("the threads of a search", () => {
  test("answer all callers, even if some abort", async () => {
    const folder = scratch();
    const path = join(folder, "index.sqlite");
    await build(writeCorpus(folder, 20, "words "), path);
    const pool = new SearchPool(1);
    onTestFinished(() => pool.close());
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const asked = Array.from({ length: 40 }, (_, at) =>
      pool.ask({ kind: "search", path, query: "words", k: 2 }, at % 2 ? stop.signal : signal()),
    );
    stop.abort(new Error("left"));
    const settled = await Promise.allSettled(asked);
    expect(settled.map(({ status }) => status)).toEqual(
      Array.from({ length: 40 }, (_, at) => (at % 2 ? "rejected" : "fulfilled")),
    );
  });

  test("that are closed reject waiting calls", async () => {
    const pool = new SearchPool(1);
    const waiting = Array.from({ length: 5 }, () =>
      pool.ask({ kind: "search", path: "/none", query: "words", k: 2 }, signal()),
    );
    const settled = Promise.allSettled(waiting);
    await pool.close();
    for (const { status } of await settled) expect(status).toBe("rejected");
  });
});

describe("a retrieval server", () => {
  const answering = (answer: Parameters<typeof TestRetrieveServer.start>[0]) => TestRetrieveServer.start(answer);
  const search = (url: string) => new RetrieveServer(url).search("query", 3, signal());

  test("gets concurrent queries in one request", async () => {
    const server = await TestRetrieveServer.giving((query) => [
      { id: query, contents: `Title ${query}\nText ${query}` },
    ]);
    const source = new RetrieveServer(server.url);
    const queries = Array.from({ length: 100 }, (_, at) => `q${at}`);
    const found = await Promise.all(queries.map((query) => source.search(query, 1, signal())));
    expect(found.map(([first]) => first?.text)).toEqual(queries.map((query) => `Text ${query}`));
    expect(server.requests.map(({ queries: { length } }) => length)).toEqual([64, 36]);
    expect(await source.open("q7", 0)).toMatchObject({ title: "Title q7", text: "Text q7" });
    expect(await source.open("unseen", 0)).toBeNull();
  });

  const faults: [string, Parameters<typeof TestRetrieveServer.start>[0], RegExp][] = [
    ["refuses", (_, response) => void response.writeHead(400).end("no such model"), /status 400: no such model/],
    ["says what is no JSON", (_, response) => void response.end("<html>"), /a reply that is not JSON: "<html>"/],
    ["leaves queries out", () => ({ result: [] }), /to reply to 1 queries, but received results for 0 queries/],
    ["answers another shape", () => ({ documents: [] }), /to reply with \{result\}/],
    [
      "fails each time",
      (_, response) => void response.writeHead(503, { "retry-after": "0" }).end("busy"),
      /status 503/,
    ],
    ["hangs up", (_, response) => void response.destroy(), /search|socket|other side closed|terminated|ECONNRESET/],
  ];
  test.each(faults)("that %s fails as the fault of the service", async (_, answer, message) => {
    const { url } = await answering(answer);
    const error = await search(url).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ServiceFailed);
    expect((error as Error).message).toMatch(message);
  });

  test("that is busy for a moment is called again", async () => {
    let asked = 0;
    const { url } = await answering((_, response) => {
      asked += 1;
      if (asked > 2) return { result: [[{ document: { id: "a", contents: "T\ntext" }, score: 1 }]] };
      response.writeHead(503, { "retry-after": "0" }).end();
      return undefined;
    });
    expect(await search(url)).toEqual([{ id: "a", title: "T", text: "text", score: 1 }]);
  });

  test("that is slow does not delay a caller that aborts", async () => {
    const { url } = await answering(() => new Promise(() => {}));
    const source = new RetrieveServer(url);
    onTestFinished(() => source.close());
    const stop = new AbortController();
    const asked = source.search("query", 3, stop.signal);
    setTimeout(() => stop.abort(new Error("past the deadline")), 100);
    await expect(asked).rejects.toThrow("past the deadline");
  });
});

describe("cached answers", () => {
  const counting = () => {
    const source = {
      asked: 0,
      search: async (query: string) => {
        source.asked += 1;
        if (query === "bad") throw new Error("failed");
        return [{ id: query, title: "", text: "x".repeat(2 ** 22), score: 1 }];
      },
      open: async () => null,
      close: async () => {},
    };
    return source satisfies Source & { asked: number };
  };

  test("are returned for a minute, with a copy for each caller", async () => {
    let now = 0;
    const source = counting();
    const cached = new CachedSource(source, new Answers(() => now));
    const [first] = await cached.search("a", 1, signal());
    if (first) first.id = "changed";
    expect((await cached.search("a", 1, signal()))[0]?.id).toBe("a");
    await cached.search("a", 2, signal());
    expect(source.asked).toBe(2);
    now = 60_000;
    await cached.search("a", 1, signal());
    expect(source.asked).toBe(3);
  });

  test("are evicted, the oldest first, within a memory limit; failures are not cached", async () => {
    const source = counting();
    const cached = new CachedSource(source);
    for (const query of ["a", "b", "c", "d", "d", "a"]) await cached.search(query, 1, signal());
    expect(source.asked).toBe(5);
    for (const _ of [1, 2]) await expect(cached.search("bad", 1, signal())).rejects.toThrow("failed");
    expect(source.asked).toBe(7);
  });

  test("of pages also take bounded memory", () => {
    const kept = new KeptPages(100);
    const page = (id: string, length: number) => ({ id, title: "", text: "x".repeat(length), links: [] });
    for (const id of ["a", "b", "c"]) kept.keep(page(id, 40));
    kept.keep(page("large", 101));
    expect(["a", "b", "c", "large"].map((id) => kept.get(id)?.id)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    for (const id of ["a", "a", "b"]) kept.keep(page(id, 40));
    expect(["a", "b"].map((id) => kept.get(id)?.id)).toEqual(["a", "b"]);
  });
});
