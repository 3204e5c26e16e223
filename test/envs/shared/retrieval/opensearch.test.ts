/** Indexes in OpenSearch: builds, searches, and searches in the old index until the new one is complete. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { linesOf } from "#palestra/envs/shared/retrieval/embedded/corpus-file.js";
import { aliasAddress, clusterAddress } from "#palestra/envs/shared/retrieval/opensearch/address.js";
import { Cluster } from "#palestra/envs/shared/retrieval/opensearch/cluster.js";
import {
  buildClusterIndex,
  type ClusterBuildOptions,
} from "#palestra/envs/shared/retrieval/opensearch/cluster-builder.js";
import { listClusterIndexes, removeClusterIndex } from "#palestra/envs/shared/retrieval/opensearch/cluster-indexes.js";
import { OpenSearchSource } from "#palestra/envs/shared/retrieval/opensearch/opensearch-source.js";
import { checkSource } from "#palestra/envs/shared/retrieval/sources.js";
import { TestOpenSearch } from "../../../support/opensearch.js";

const folder = mkdtempSync(join(tmpdir(), "palestra-opensearch-"));
const { signal } = new AbortController();
let files = 0;

function corpus(lines: readonly (object | string)[], ending = ".jsonl"): string {
  const path = join(folder, `corpus-${files++}${ending}`);
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  writeFileSync(path, ending.endsWith(".gz") ? gzipSync(text) : text);
  return path;
}

const limits = { attempts: 3, pauseMs: 1, timeoutMs: 10_000 };

function build({ url }: TestOpenSearch, alias: string, from: string, options: ClusterBuildOptions = {}) {
  const cluster = new Cluster(clusterAddress(url), limits);
  return buildClusterIndex({ name: "corpus", lines: linesOf(from) }, cluster, alias, options);
}

function source({ url }: TestOpenSearch, alias: string): OpenSearchSource {
  return new OpenSearchSource(aliasAddress(`${url}/${alias}`), limits);
}

async function found(node: TestOpenSearch, alias: string, query: string, k = 3): Promise<string[]> {
  return (await source(node, alias).search(query, k, signal)).map(({ id }) => id);
}

const cats = { id: "cat", title: "Cat", text: "A small animal that hunts mice." };
const mice = { id: "mouse", title: "Mouse", text: "A rodent. Cats hunt it.", links: [{ id: "cat", title: "Cat" }] };

describe("an index of OpenSearch", () => {
  test("is built from a compressed corpus and searched", async () => {
    const node = await TestOpenSearch.start("built");
    const { facts, resumedAt, bad } = await build(node, "built", corpus([cats, mice], ".jsonl.gz"));
    expect(facts).toMatchObject({ pages: 2, passages: 2, skipped: 0, schema: 1, corpus: "corpus" });
    expect({ resumedAt, bad }).toEqual({ resumedAt: 0, bad: [] });
    const [first, ...others] = await source(node, "built").search("rodent", 3, signal);
    expect(first).toEqual({ id: "mouse", title: "Mouse", text: mice.text, score: expect.any(Number) });
    expect(others).toEqual([]);
  });

  test("opens pages with their links, in windows", async () => {
    const node = await TestOpenSearch.start("windows");
    const long = { id: 7, title: "Long", text: `${"x".repeat(3_999)}😀${"y".repeat(10)}`, links: mice.links };
    await build(node, "windows", corpus([mice, long, { id: "bare", title: "Bare", text: "" }]));
    const pages = source(node, "windows");
    expect(await pages.open("mouse", 0, signal)).toEqual({ ...mice, offset: 0, length: 23 });
    expect(await pages.open("mouse", 99, signal)).toMatchObject({ text: "", offset: 23, length: 23 });
    const first = await pages.open("7", 0, signal);
    // A character of two code units is not cut in half.
    expect(first?.text).toHaveLength(3_999);
    expect(await pages.open("7", 3_999, signal)).toEqual({
      ...{ id: "7", title: "Long", text: `😀${"y".repeat(10)}`, offset: 3_999, length: 4_011 },
      links: mice.links,
    });
    expect(await pages.open("bare", 0, signal)).toMatchObject({ title: "Bare", text: "", length: 0 });
    expect(await pages.open("none", 0, signal)).toBeNull();
  });

  test("returns the best passage of each long page, and any window of its text", async () => {
    const node = await TestOpenSearch.start("passages");
    const text = Array.from({ length: 300 }, (_, at) => `Sentence number ${at} speaks of topic${at}.`).join(" ");
    const { facts } = await build(node, "passages", corpus([{ id: "long", title: "Long", text }, cats]));
    expect(facts.passages).toBeGreaterThan(10);
    const pages = source(node, "passages");
    const [only, ...others] = await pages.search("topic55 sentence", 3, signal);
    expect(others).toEqual([]);
    expect(only?.text).toContain("topic55");
    for (const offset of [0, 1, 999, 1_000, 4_000, 5_555, text.length - 4_000, text.length - 1])
      expect(await pages.open("long", offset, signal)).toEqual({
        ...{ id: "long", title: "Long", links: [], offset, length: text.length },
        text: text.slice(offset, offset + 4_000),
      });
  });

  test("finds words in any form, case and accents, and ranks matches in the title higher", async () => {
    const node = await TestOpenSearch.start("forms");
    const pages = [
      { id: "a", title: "Universities", text: "Places of learning in Málaga." },
      { id: "b", title: "Learning", text: "What pupils do." },
      { id: "c", title: "Rest", text: "Nothing of it." },
    ];
    await build(node, "forms", corpus(pages));
    expect(await found(node, "forms", "UNIVERSITY malaga")).toEqual(["a"]);
    expect(await found(node, "forms", "learning")).toEqual(["b", "a"]);
  });

  test("answers hostile queries with pages or none", async () => {
    const node = await TestOpenSearch.start("hostile");
    await build(node, "hostile", corpus([cats, { ...mice, text: "A rodent, that a cat hunts." }]));
    const queries: [string, string[]][] = [
      ["", []],
      ["?!… --- ()", []],
      ["cat AND NOT (mouse OR", ["cat", "mouse"]],
      ['" OR * NEAR(cat mouse, 2) title:cat ^cat', ["cat", "mouse"]],
      ["mouse ".repeat(2_000), ["mouse"]],
      [Array.from({ length: 2_000 }, (_, at) => `cat${at}`).join(" "), []],
      ["猫".repeat(4_096), []],
      [Array.from({ length: 4_000 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join(""), []],
      ["\u0000cat\ud800", ["cat", "mouse"]],
    ];
    for (const [query, expected] of queries)
      expect((await found(node, "hostile", query, 10)).sort(), query.slice(0, 40)).toEqual(expected);
  });

  test("replaces the old index in one step and removes it", async () => {
    const node = await TestOpenSearch.start("swapped");
    await build(node, "swapped", corpus([cats]));
    const searched: string[][] = [];
    node.fault = async ({ path }) => {
      if (!path.includes("_aliases")) return undefined;
      searched.push(await found(node, "swapped", "rodent animal"));
      return undefined;
    };
    await build(node, "swapped", corpus([mice]));
    expect(searched).toEqual([["cat"]]);
    expect(await found(node, "swapped", "rodent animal")).toEqual(["mouse"]);
    const paths = node.requests.map(({ method, path }) => `${method} ${path}`);
    const lastDeletion = paths.findLastIndex((line) => line.startsWith("DELETE"));
    expect(lastDeletion).toBeGreaterThan(paths.findLastIndex((line) => line.includes("_aliases")));
    expect(paths.filter((line) => line.startsWith("DELETE"))).toHaveLength(1);
  });

  test("resumes an interrupted build, without documents after its last state", async () => {
    const node = await TestOpenSearch.start("resumed");
    const pages = Array.from({ length: 40 }, (_, at) => ({
      id: `p${at}`,
      title: `Page ${at}`,
      text: `Word${at} here.`,
    }));
    const options = { bulkCharacters: 700, stateCharacters: 600 };
    const stop = new AbortController();
    let bulks = 0;
    node.fault = ({ path }) => {
      if (path.includes("_bulk") && ++bulks === 7) stop.abort(new Error("an interrupt"));
      return undefined;
    };
    await expect(build(node, "resumed", corpus(pages), { ...options, signal: stop.signal })).rejects.toThrow(
      "interrupt",
    );
    node.fault = undefined;
    const changed = pages.map((page, at) => (at === 39 ? { ...page, id: "other" } : page));
    const { facts, resumedAt } = await build(node, "resumed", corpus(changed), options);
    expect(resumedAt).toBeGreaterThan(0);
    expect(facts).toMatchObject({ pages: 40, passages: 40 });
    expect(await found(node, "resumed", "word39")).toEqual(["other"]);
  });

  test("is not resumed with another corpus, but rebuilt with --restart", async () => {
    const node = await TestOpenSearch.start("changed");
    const pages = [cats, mice, { id: "broken" }];
    const options = { bulkCharacters: 1, stateCharacters: 1 };
    await expect(build(node, "changed", corpus(pages), options)).rejects.toThrow(
      /line 3: expected a string in one of text.+Correct the line/,
    );
    const other = corpus([{ ...cats, text: "Another text." }, mice]);
    await expect(build(node, "changed", other, options)).rejects.toThrow(
      /expected the corpus of the build that was interrupted at line 2.+--restart/,
    );
    const { facts, resumedAt } = await build(node, "changed", other, { ...options, restarts: true });
    expect([facts.pages, resumedAt]).toEqual([2, 0]);
  });

  test("skips invalid lines and repeated ids, even if the first document with the id is already written", async () => {
    const node = await TestOpenSearch.start("skipped");
    const long = { ...cats, text: "A cat again. ".repeat(200) };
    const lines = [cats, long, "{", mice, { ...long, title: "Third" }, { id: "x".repeat(40_000), text: "Long id." }];
    const options = { bulkCharacters: 1, skipsBadLines: true };
    const { facts, bad } = await build(node, "skipped", corpus(lines), options);
    expect(facts).toMatchObject({ pages: 2, passages: 2, skipped: 4 });
    expect(bad.sort()).toEqual([
      'line 2: expected a unique id, but received "cat", the id of line 1',
      expect.stringContaining("line 3: expected JSON"),
      'line 5: expected a unique id, but received "cat", the id of line 1',
      expect.stringMatching(
        /line 6: expected a page that OpenSearch accepts, but received its refusal: .+max length 32766/,
      ),
    ]);
    expect(await source(node, "skipped").open("cat", 0, signal)).toMatchObject({ text: cats.text });
  });

  test("can be listed with its metadata and removed", async () => {
    const node = await TestOpenSearch.start("listed");
    const cluster = new Cluster(clusterAddress(node.url), limits);
    await build(node, "listed", corpus([cats, mice]));
    await expect(build(node, "listed", corpus([cats, {}]))).rejects.toThrow("line 2");
    const own = async () => (await listClusterIndexes(cluster, signal)).filter(({ name }) => name === "listed");
    expect(await own()).toMatchObject([
      { bytes: expect.any(Number), facts: { pages: 2, passages: 2, corpus: "corpus" } },
      { problem: expect.stringMatching(/^listed-\S+, a build that has come to line 0/) },
    ]);
    expect(await removeClusterIndex(cluster, "listed", signal)).toBe(true);
    expect(await removeClusterIndex(cluster, "listed", signal)).toBe(false);
    expect(await own()).toEqual([]);
  });
});

describe("an address", () => {
  test("contains the cluster, the alias and the credentials", () => {
    expect(aliasAddress("https://ada:p%40ss@search.example:9200/sub/wiki", {})).toEqual({
      ...{ url: "https://search.example:9200/sub", alias: "wiki", username: "ada", password: "p@ss" },
    });
    expect(clusterAddress("http://search.example", { PALESTRA_OPENSEARCH_AUTH: "ada:a:b" })).toEqual({
      ...{ url: "http://search.example", username: "ada", password: "a:b" },
    });
  });

  test.each([
    "opensearch:https://ada:secret@host:9200",
    "opensearch:https://ada:secret@host:9200/Wiki*",
    "opensearch:ftp://ada:secret@host/wiki",
    "opensaerch:https://ada:sec/ret@host:9200/wiki",
    "retrieve:ftp://ada:secret@host/wiki",
  ])("that is invalid is refused without its password: %s", (name) => {
    expect(() => checkSource(name)).toThrow(/^expected (?!.*sec)/);
  });
});
