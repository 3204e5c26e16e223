/** Searches and builds while OpenSearch is busy, slow, down or refuses: typed errors, and searches in the old index. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { ServiceFailed } from "#palestra/envs/errors.js";
import { linesOf } from "#palestra/envs/shared/retrieval/embedded/corpus-file.js";
import { BuildFailed } from "#palestra/envs/shared/retrieval/embedded/index-builder.js";
import { aliasAddress, clusterAddress } from "#palestra/envs/shared/retrieval/opensearch/address.js";
import { Cluster } from "#palestra/envs/shared/retrieval/opensearch/cluster.js";
import {
  buildClusterIndex,
  type ClusterBuildOptions,
} from "#palestra/envs/shared/retrieval/opensearch/cluster-builder.js";
import { OpenSearchSource } from "#palestra/envs/shared/retrieval/opensearch/opensearch-source.js";
import { type Fault, type OpenSearchReply, TestOpenSearch } from "../../../support/opensearch.js";

const folder = mkdtempSync(join(tmpdir(), "palestra-opensearch-"));
const { signal } = new AbortController();
let files = 0;

function corpus(pages: readonly object[]): string {
  const path = join(folder, `corpus-${files++}.jsonl`);
  writeFileSync(path, pages.map((page) => JSON.stringify(page)).join("\n"));
  return path;
}

const limits = { attempts: 4, pauseMs: 1, timeoutMs: 10_000 };
const impatient = { ...limits, timeoutMs: 100 };

function build(node: { url: string }, alias: string, pages: readonly object[], options: ClusterBuildOptions = {}) {
  const cluster = new Cluster(clusterAddress(node.url), limits);
  return buildClusterIndex({ name: "corpus", lines: linesOf(corpus(pages)) }, cluster, alias, options);
}

function search(node: { url: string }, alias: string, query = "animal", bounds = limits, stop = signal) {
  return new OpenSearchSource(aliasAddress(`${node.url}/${alias}`), bounds).search(query, 3, stop);
}

const cat = { id: "cat", title: "Cat", text: "A small animal that hunts mice." };
const old = { id: "old", title: "Old", text: "An old animal." };
const many = Array.from({ length: 12 }, (_, at) => ({ id: `p${at}`, title: `Page ${at}`, text: `Animal ${at}.` }));

const busy: OpenSearchReply = {
  status: 429,
  body: JSON.stringify({ error: { type: "es_rejected_execution_exception", reason: "too busy" }, status: 429 }),
};

/**
 * The reply of a node that accepts only the first item of a bulk request, by the documentation of OpenSearch's bulk
 * API.
 */
async function mostlyBusy(answer: () => Promise<OpenSearchReply>): Promise<OpenSearchReply> {
  const reply = await answer();
  const { items, ...rest } = JSON.parse(reply.body) as { items: { create: { _id: string; status: number } }[] };
  const refused = { type: "rejected_execution_exception", reason: "rejected execution of coordinating operation" };
  const told = items.map((item, at) => (at === 0 ? item : { create: { ...item.create, status: 429, error: refused } }));
  return { status: 200, body: JSON.stringify({ ...rest, errors: true, items: told }) };
}

const hangUp: Fault = (_request, _answer, response) => {
  response.destroy();
  return null;
};

/** Replaces the replies to the first `count` requests to a path. */
function first(count: number, path: RegExp, fault: Fault): Fault {
  let left = count;
  return (request, ...more) => (path.test(request.path) && left-- > 0 ? fault(request, ...more) : undefined);
}

async function failure(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    (value) => expect.fail(`expected a failure, but received ${JSON.stringify(value)}`),
    (error: Error) => error,
  );
}

describe("a search", () => {
  test("is retried if the node is busy or closes the connection", async () => {
    const node = await TestOpenSearch.start("busy-search");
    await build(node, "busy-search", [cat]);
    node.fault = first(2, /_search/, () => busy);
    expect(await search(node, "busy-search")).toHaveLength(1);
    node.fault = first(1, /_search/, hangUp);
    expect(await search(node, "busy-search")).toHaveLength(1);
    expect(node.count(/_search/)).toBe(5);
  });

  test("fails as a service fault if the node stays busy, stalls, or truncates its reply", async () => {
    const node = await TestOpenSearch.start("stalled-search");
    await build(node, "stalled-search", [cat]);
    node.fault = (request) => (request.path.includes("_search") ? busy : undefined);
    const error = await failure(search(node, "stalled-search"));
    expect(error).toBeInstanceOf(ServiceFailed);
    expect(error.message).toBe(`expected OpenSearch at ${node.url} to answer, but received status 429: too busy`);
    node.fault = ({ path }) => (path.includes("_search") ? null : undefined);
    expect((await failure(search(node, "stalled-search", "animal", impatient))).message).toContain(
      "no reply within 100 ms",
    );
    node.fault = ({ path }, _answer, response) => {
      if (!path.includes("_search")) return undefined;
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" }).write("{");
      return null;
    };
    expect((await failure(search(node, "stalled-search", "animal", impatient))).message).toContain(
      "no reply within 100 ms",
    );
  });

  test("rejects with the reason of its signal", async () => {
    const node = await TestOpenSearch.start("aborted-search");
    await build(node, "aborted-search", [cat]);
    const stop = new AbortController();
    node.fault = ({ path }) => {
      if (!path.includes("_search")) return undefined;
      stop.abort(new Error("enough"));
      return null;
    };
    expect((await failure(search(node, "aborted-search", "animal", limits, stop.signal))).message).toBe("enough");
    expect((await failure(search(node, "aborted-search", "animal", limits, stop.signal))).message).toBe("enough");
  });

  test("fails if nothing listens, without the password in the error", async () => {
    const error = await failure(search({ url: "http://ada:secret@127.0.0.1:9" }, "wiki"));
    expect(error.message).toBe(
      "expected OpenSearch at http://127.0.0.1:9 to answer, but received connect ECONNREFUSED 127.0.0.1:9",
    );
    expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(/secret|YWRhOnNlY3JldA/);
  });

  test("fails at once for an unknown user, with a remedy", async () => {
    const node = await TestOpenSearch.start("unknown-user");
    // The reply of the security plugin, which the node of the tests does not have.
    node.fault = () => ({ status: 401, body: JSON.stringify("Unauthorized") });
    const error = await failure(search({ url: node.url.replace("//", "//ada:secret@") }, "wiki"));
    expect(error).toBeInstanceOf(ServiceFailed);
    expect(error.message).toContain(
      "status 401: Unauthorized. The user is unknown there: give user:password@ in the URL, or set PALESTRA_OPENSEARCH_AUTH",
    );
    expect(node.requests.map(({ authorization }) => authorization)).toEqual(["Basic YWRhOnNlY3JldA=="]);
    expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(/secret|YWRhOnNlY3JldA/);
  });

  test("fails if the alias is missing or leads to a foreign index, or if the reply is not from OpenSearch", async () => {
    const node = await TestOpenSearch.start("foreign");
    const missing = await failure(search(node, "foreign"));
    expect(missing).toBeInstanceOf(ServiceFailed);
    expect(missing.message).toMatch(/no index or alias of this name: build it with `palestra index build FILE --name/);
    const made = await fetch(`${node.url}/foreign`, { method: "PUT" });
    expect(made.status).toBe(200);
    expect((await failure(search(node, "foreign"))).message).toContain("the index foreign of another program");
    await expect(build(node, "foreign", [cat])).rejects.toThrow(
      "expected foreign to be available as an alias, but an index already has this name. Choose a different --name",
    );
    node.fault = ({ path }) => (path.includes("_mapping") ? { status: 200, body: "[]" } : undefined);
    await expect(search(node, "foreign")).rejects.toThrow(ServiceFailed);
  });
});

describe("a build", () => {
  test("sends refused and unanswered documents again, and stores each once", async () => {
    const node = await TestOpenSearch.start("busy-build");
    const broken: Fault = async (_request, answer, response) => {
      await answer();
      response.destroy();
      return null;
    };
    const faults: Fault[] = [() => busy, (_request, answer) => mostlyBusy(answer), broken];
    node.fault = first(faults.length, /_bulk/, (...request) => (faults.shift() as Fault)(...request));
    const { facts } = await build(node, "busy-build", many, {});
    expect(facts).toMatchObject({ pages: 12, passages: 12, skipped: 0 });
    expect(node.count(/_bulk/)).toBe(4);
    expect(await search(node, "busy-build")).toHaveLength(3);
  });

  const ends: [string, string, Fault, RegExp][] = [
    ["is busy", "storm", () => busy, /status 429: too busy/],
    ["dies", "dying", hangUp, /socket hang up/],
    [
      "refuses documents for want of a right",
      "forbidden",
      async (_request, answer) => {
        const { status, body } = await answer();
        return { status, body: body.replaceAll(/"status":201/g, `"status":403,"error":{"reason":"no permission"}`) };
      },
      /status 403: no permission.+give the user a role/,
    ],
  ];

  test.each(ends)(
    "that ends because the node %s keeps the old index in use, and continues later",
    async (_, alias, fault, message) => {
      const node = await TestOpenSearch.start(alias);
      await build(node, alias, [old]);
      let bulks = 0;
      node.fault = (request, ...more) =>
        request.path.includes("_bulk") && ++bulks > 3 ? fault(request, ...more) : undefined;
      const options = { bulkCharacters: 1, stateCharacters: 10 };
      const error = await failure(build(node, alias, many, options));
      expect(error).toBeInstanceOf(BuildFailed);
      expect(error.message).toMatch(message);
      expect(error.message).toMatch(/Run the same command again to resume the build$/);
      node.fault = undefined;
      expect(await search(node, alias)).toMatchObject([{ id: "old" }]);
      const { facts, resumedAt } = await build(node, alias, many, options);
      expect(facts.pages).toBe(12);
      expect(resumedAt).toBe(3);
      expect((await search(node, alias)).map(({ id }) => id)).not.toContain("old");
    },
  );

  test("stops if another build has taken over", async () => {
    const node = await TestOpenSearch.start("taken-over");
    const options = { bulkCharacters: 1, stateCharacters: 10 };
    let other: Promise<unknown> | undefined;
    let bulks = 0;
    node.fault = async ({ path }) => {
      if (!path.includes("_bulk") || ++bulks !== 4) return undefined;
      other = build(node, "taken-over", many, options);
      await other;
      return undefined;
    };
    await expect(build(node, "taken-over", many, options)).rejects.toThrow(BuildFailed);
    await other;
    expect(await search(node, "taken-over")).toHaveLength(3);
  });

  test("with a wrong count of documents keeps the old index", async () => {
    const node = await TestOpenSearch.start("miscounted");
    await build(node, "miscounted", [old]);
    node.fault = ({ path }) => (path.includes("_count") ? { status: 200, body: '{"count":1}' } : undefined);
    await expect(build(node, "miscounted", many)).rejects.toThrow(
      /expected 12 passages in miscounted-\S+, but received 1. Start a new build with --restart/,
    );
    expect(await search(node, "miscounted")).toMatchObject([{ id: "old" }]);
  });
});
