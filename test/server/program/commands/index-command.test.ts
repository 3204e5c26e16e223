/** `palestra index` on an OpenSearch cluster: its output and its errors. */
import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TestOpenSearch } from "../../../support/opensearch.js";
import { root } from "../../../support/server-process.js";

const folder = mkdtempSync(join(tmpdir(), "palestra-index-"));
const pages = [
  { id: "cat", title: "Cat", text: "A small animal that hunts mice." },
  { id: "mouse", title: "Mouse", text: "A rodent. Cats hunt it." },
];
writeFileSync(join(folder, "pages.jsonl"), pages.map((page) => JSON.stringify(page)).join("\n"));

interface Printed {
  code: number;
  out: string;
  error: string;
}

/** Runs `palestra index`. */
function index(...args: string[]): Promise<Printed> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, "dist/server/program/cli.js"), "index", ...args],
      { cwd: folder },
      (failed, out, error) => resolve({ code: typeof failed?.code === "number" ? failed.code : 0, out, error }),
    );
  });
}

test("the command builds, lists, searches and removes an index in a cluster", async () => {
  const node = await TestOpenSearch.start("commands");
  const at = ["--at", `opensearch:${node.url}`];
  const built = await index("build", "pages.jsonl", "--name", "commands", "--shards", "2", ...at);
  expect(built).toMatchObject({ code: 0, out: "commands: 2 pages in 2 passages\n" });
  expect((await index("list", ...at)).out).toMatch(/^commands {2}0\.\d MiB {2}2 pages, 2 passages, of pages\.jsonl$/m);
  const found = JSON.parse((await index("search", "commands", "rodents", "--json", ...at)).out);
  expect(found).toMatchObject({ passages: [{ id: "mouse", title: "Mouse", text: "A rodent. Cats hunt it." }] });
  expect(await index("remove", "commands", ...at)).toMatchObject({ code: 0, out: "" });
  const gone = await index("search", "commands", "rodents", ...at);
  expect(gone.code).not.toBe(0);
  expect(gone.error).toMatch(/received no index or alias of this name: build it with `palestra index build FILE/);
  expect((await index("remove", "commands", ...at)).error).toMatch(
    /expected the name of an existing index, but received commands/,
  );
});

test.each([
  [["build", "pages.jsonl", "--name", "x", "--shards", "2"], "expected --shards together with --at opensearch:URL"],
  [
    ["build", "pages.jsonl", "--name", "x", "--shards", "0"],
    'is invalid. expected an integer from 1 to 1024, but received "0"',
  ],
  [["list", "--at", "http://ada:secret@search.example"], "expected --at opensearch:URL, but received"],
  [["list", "--at", "opensearch:search.example"], "expected an http:// or https:// address"],
  [
    ["search", "A*", "x", "--at", "opensearch:http://search.example"],
    "expected a name of at most 64 lower-case letters",
  ],
])("%j is refused before any request is sent", async (args, message) => {
  const { code, error } = await index(...args);
  expect(code).not.toBe(0);
  expect(error).toContain(message);
  expect(error).not.toContain("secret");
});
