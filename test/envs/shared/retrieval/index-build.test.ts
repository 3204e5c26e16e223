/** Embedded indexes: builds, failed builds, and searches in the old index until the new one is complete. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { linesOf } from "#palestra/envs/shared/retrieval/embedded/corpus-file.js";
import { type BuildOptions, buildIndex } from "#palestra/envs/shared/retrieval/embedded/index-builder.js";
import { IndexFile } from "#palestra/envs/shared/retrieval/embedded/index-file.js";
import { partialPath } from "#palestra/envs/shared/retrieval/embedded/index-schema.js";

const folder = mkdtempSync(join(tmpdir(), "palestra-index-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

/** Writes a corpus with these lines. */
function corpus(lines: readonly (object | string)[], ending = ".jsonl"): string {
  const path = join(folder, `corpus-${files++}${ending}`);
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  writeFileSync(path, ending.endsWith(".gz") ? gzipSync(text) : text);
  return path;
}

function target(): string {
  return join(folder, `index-${files++}.sqlite`);
}

function build(from: string, to: string, options: BuildOptions = {}) {
  return buildIndex({ name: from, lines: linesOf(from) }, to, options);
}

function found(path: string, query: string, k = 3): string[] {
  const file = new IndexFile(path);
  const ids = file.search(query, k).map(({ id }) => id);
  file.close();
  return ids;
}

const cats = { id: "cat", title: "Cat", text: "A small animal that hunts mice." };
const mice = { id: "mouse", title: "Mouse", text: "A rodent. Cats hunt it.", links: [{ id: "cat", title: "Cat" }] };

describe("an index", () => {
  test.each([".jsonl", ".jsonl.gz"])("is built from %s", async (ending) => {
    const path = target();
    const { facts, bad } = await build(corpus([cats, mice], ending), path);
    expect(facts).toMatchObject({ pages: 2, passages: 2, skipped: 0, schema: 2 });
    expect(bad).toEqual([]);
    expect(existsSync(partialPath(path))).toBe(false);
    expect(found(path, "rodent")).toEqual(["mouse"]);
  });

  test("opens pages with their links, in windows", async () => {
    const path = target();
    const long = { id: 7, title: "Long", text: `${"x".repeat(3_999)}😀${"y".repeat(10)}` };
    await build(corpus([mice, long]), path);
    const file = new IndexFile(path);
    expect(file.open("mouse", 0)).toEqual({ ...mice, offset: 0, length: 23 });
    expect(file.open("mouse", 99)).toMatchObject({ text: "", offset: 23 });
    const first = file.open("7", 0);
    // A character of two code units is not cut in half.
    expect(first?.text).toHaveLength(3_999);
    expect(file.open("7", 3_999)?.text).toBe(`😀${"y".repeat(10)}`);
    expect(file.open("none", 0)).toBeNull();
    file.close();
  });

  test("reads the corpora of FlashRAG, whose first line is the title, and keeps the text unchanged", async () => {
    const path = target();
    await build(corpus([{ id: "0", contents: '"Aaron"\nAaron is a prophet.\nHe spoke.' }]), path);
    const file = new IndexFile(path);
    expect(file.search("prophet", 1)).toMatchObject([
      { id: "0", title: '"Aaron"', text: "Aaron is a prophet.\nHe spoke." },
    ]);
    file.close();
  });

  test("finds words in any form, case and accents, and ranks matches in the title higher", async () => {
    const path = target();
    const pages = [
      { id: "a", title: "Universities", text: "Places of learning in Málaga." },
      { id: "b", title: "Learning", text: "What pupils do." },
      { id: "c", title: "Rest", text: "Nothing of it." },
    ];
    await build(corpus(pages), path);
    expect(found(path, "UNIVERSITY malaga")).toEqual(["a"]);
    expect(found(path, "learning")).toEqual(["b", "a"]);
  });

  test("splits long pages into passages, and returns the best of each page", async () => {
    const path = target();
    const text = Array.from({ length: 60 }, (_, at) => `Sentence number ${at} speaks of topic${at}.`).join(" ");
    const { facts } = await build(corpus([{ id: "long", title: "Long", text }, cats]), path);
    expect(facts.passages).toBeGreaterThan(2);
    const file = new IndexFile(path);
    const [only, ...others] = file.search("topic55 sentence", 3);
    expect(others).toEqual([]);
    expect(only?.text).toContain("topic55");
    expect(only?.text.length).toBeLessThanOrEqual(1_500);
    file.close();
  });

  const hostile = [
    ["", []],
    ["?!… --- ()", []],
    ["cat AND NOT (mouse OR", ["cat", "mouse"]],
    ['" OR * NEAR(cat mouse, 2) title:cat ^cat', ["cat", "mouse"]],
    ["mouse ".repeat(2_000), ["mouse"]],
    ["x".repeat(10_000), []],
    ["these of such", []],
    ["'; DROP TABLE pages; --", []],
    ["\u0000cat\ud800", ["cat"]],
  ] as const;

  test.each(hostile)("answers a hostile query with pages or none: case %#", async (query, expected) => {
    const path = target();
    await build(corpus([cats, { ...mice, text: "A rodent, that a cat hunts." }]), path);
    for (const id of expected) expect(found(path, query, 10)).toContain(id);
    if (expected.length === 0) expect(found(path, query, 10)).toEqual([]);
  });
});

describe("a build", () => {
  const broken: [string, object | string, string][] = [
    ["a line that is no JSON", "{cat", "line 2: expected JSON"],
    ["a line that is no object", "[1]", "line 2: expected a JSON object"],
    ["a page without an id", { text: "a" }, "line 2: expected a string or a number in one of id"],
    ["a page without a text", { id: "b" }, "line 2: expected a string in one of text"],
    ["an empty page", { id: "b", title: " ", text: "\n" }, 'line 2: expected page "b" to have a text'],
    [
      "an id that was there",
      { id: "cat", text: "Again" },
      'line 2: expected a unique id, but received "cat", the id of line 1',
    ],
    ["links that are none", { id: "b", text: "c", links: ["cat"] }, "line 2: expected a list of {id, title}"],
  ];

  test.each(broken)("ends at %s and names the line, or skips the line if asked to", async (_, line, told) => {
    const [from, path] = [corpus([cats, line, mice]), target()];
    await expect(build(from, path)).rejects.toThrow(told);
    await expect(build(from, path)).rejects.toThrow("--skip-bad-lines");
    expect(existsSync(path)).toBe(false);
    const { facts, bad } = await build(from, path, { skipsBadLines: true });
    expect(facts).toMatchObject({ pages: 2, skipped: 1 });
    expect(bad).toEqual([expect.stringContaining(told)]);
    expect(found(path, "rodent")).toEqual(["mouse"]);
  });

  test("refuses files that are missing, of another format, empty, or truncated", async () => {
    const path = target();
    expect(() => linesOf(join(folder, "none.jsonl"))).toThrow("expected a file at");
    expect(() => linesOf(join(folder, "corpus.csv"))).toThrow("expected a file that ends with one of .jsonl");
    await expect(build(corpus(["", ""]), path)).rejects.toThrow("expected pages");
    const packed = corpus(
      [cats, ...Array.from({ length: 500 }, (_, id) => ({ id, text: `${Math.sin(id)}` }))],
      ".jsonl.gz",
    );
    writeFileSync(packed, readFileSync(packed).subarray(0, 900));
    await expect(build(packed, target())).rejects.toThrow("expected a complete file at");
    writeFileSync(packed, "no gzip");
    await expect(build(packed, target())).rejects.toThrow("expected a complete file at");
  });

  const many = Array.from({ length: 400 }, (_, id) => ({ id, title: `Page ${id}`, text: `word${id} `.repeat(8_000) }));

  test("that was interrupted resumes, and gives the same index as an uninterrupted one", async () => {
    const [from, path, whole] = [corpus(many), target(), target()];
    const stop = new AbortController();
    const interrupted = build(from, path, { onProgress: () => stop.abort(new Error("enough")), signal: stop.signal });
    await expect(interrupted).rejects.toThrow("enough");
    expect(existsSync(path)).toBe(false);
    const { facts, resumedAt } = await build(from, path);
    expect(resumedAt).toBeGreaterThan(0);
    expect(resumedAt).toBeLessThan(many.length);
    const { facts: others } = await build(from, whole);
    expect({ ...facts, builtAt: "" }).toEqual({ ...others, builtAt: "" });
    expect(found(path, "word399 word3")).toEqual(found(whole, "word399 word3"));
  });

  test("does not resume with another corpus, unless it is told to restart", async () => {
    const [from, path] = [corpus(many), target()];
    const stop = new AbortController();
    const options = { onProgress: () => stop.abort(new Error("enough")), signal: stop.signal };
    await expect(build(from, path, options)).rejects.toThrow("enough");
    const other = corpus([{ id: "new", text: "other" }, ...many]);
    await expect(build(other, path)).rejects.toThrow(
      "different content up to that line. Start a new build with --restart",
    );
    await expect(build(corpus([cats]), path)).rejects.toThrow("1 lines");
    const { facts, resumedAt } = await build(other, path, { restarts: true });
    expect([facts.pages, resumedAt]).toEqual([many.length + 1, 0]);
  });

  test("keeps the old index until the new one is complete", async () => {
    const path = target();
    await build(corpus([cats]), path);
    const reader = new IndexFile(path);
    await expect(build(corpus([mice, "{"]), path)).rejects.toThrow("line 2");
    expect([found(path, "hunts"), reader.isCurrent]).toEqual([["cat"], true]);
    await build(corpus([mice]), path, { restarts: true });
    expect(reader.isCurrent).toBe(false);
    // A reader that has opened the old index can still use it.
    expect(reader.search("hunts", 3).map(({ id }) => id)).toEqual(["cat"]);
    expect(found(path, "hunts")).toEqual(["mouse"]);
    reader.close();
  });

  test("refuses a concurrent build of the same index", async () => {
    const [from, path] = [corpus(many), target()];
    const first = build(from, path);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await expect(build(from, path)).rejects.toThrow("Another process is building");
    expect((await first).facts.pages).toBe(many.length);
  });
});
