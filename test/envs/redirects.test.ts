/**
 * Redirects from the services that the gym calls for its environments are not followed. A redirect could lead into the
 * host's network, and agents see the replies and errors of these services.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { mountedEnvironment } from "#palestra/envs/mounted/index.js";
import { askJudge } from "#palestra/envs/shared/llm-judge/llm-judge.js";
import { aliasAddress } from "#palestra/envs/shared/retrieval/opensearch/address.js";
import { OpenSearchSource } from "#palestra/envs/shared/retrieval/opensearch/opensearch-source.js";
import { RetrieveServer } from "#palestra/envs/shared/retrieval/remote/retrieve-server.js";
import { SearchApi } from "#palestra/envs/shared/retrieval/web/search-api.js";
import { webSettings } from "#palestra/envs/shared/retrieval/web/settings.js";
import { modelAt } from "#palestra/envs/shared/synthesis/model-endpoint.js";
import { httpKit } from "#palestra/envs/shared/tools/http.js";
import { mcpKit } from "#palestra/envs/shared/tools/mcp/kit.js";
import { SiteClient } from "#palestra/envs/shared/web-tasks/site-client.js";
import { DistantSite } from "#palestra/envs/webarena/site-copy.js";
import { scratchDir } from "../support/gym.js";
import { testTree } from "../support/tracked-files.js";

// File in which a site records that an episode has changed it.
process.env.XDG_DATA_HOME = scratchDir();

const secret = "the secret of an internal service";
/** A reply that every caller below can parse. */
const readable = {
  results: [{ url: "http://a/", title: secret, snippet: secret }],
  result: [[{ document: { id: "1", contents: secret }, score: 1 }]],
  choices: [{ message: { content: secret } }],
  hits: { total: { value: 1 }, hits: [{ _id: "1", _score: 1, _source: { title: secret, text: secret } }] },
};

async function serve(answer: Parameters<typeof createServer>[1]) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const parameters = { type: "object", properties: {} } as const;
const lasting = () => new AbortController().signal;

/** Calls each kind of service at a URL. Each call resolves with the text that an agent or the log would get. */
const callers: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  "a search API of the web": (url) =>
    new SearchApi(webSettings({ PALESTRA_WEB_SEARCH: `${url}/?q={query}` })).search("x", 3, lasting()),
  "a retrieval server": (url) => new RetrieveServer(url).search("x", 3, lasting()),
  "an OpenSearch cluster": (url) => new OpenSearchSource(aliasAddress(`${url}/wiki`)).search("x", 3, lasting()),
  "an LLM judge": (url) => askJudge({ url, model: "m" }, "x", lasting()),
  "a model that writes tasks": (url) => modelAt({ url, model: "m" })([], { temperature: 0 }),
  "a web service as a tool": async (url) => {
    const tool = {
      name: "t",
      description: "",
      parameters,
      headers: {},
      timeoutMs: 10_000,
      method: "GET",
      url,
    } as const;
    return httpKit(tool)
      .open({ sandboxes: undefined as never })
      .call("t", {}, lasting());
  },
  "an MCP server": (url) => mcpKit({ server: { url, headers: {}, timeoutMs: 10_000 } }, true),
  "a mounted AgentGym server": (url) => mountedFacts(`agentgym/textcraft:${url}`),
  "a mounted OpenEnv server": (url) => mountedFacts(`openenv:${url}`),
  "a mounted server of unknown kind": (url) => mountedFacts(url),
  "a reset server of WebArena": async (url) => {
    const site = new DistantSite(url, { url });
    site.isChanged = true;
    await site.ready(lasting());
  },
  "a site of WebArena": (url) => new SiteClient().ask(url, { signal: lasting() }),
};

async function mountedFacts(target: string): Promise<unknown> {
  return (await mountedEnvironment(JSON.stringify({ mount: `far=${target}` }))).definition;
}

describe("a redirect is not followed by the caller of", () => {
  test.each(Object.entries(callers))("%s", async (_, call) => {
    const asked: string[] = [];
    const inside = await serve((request, reply) => {
      asked.push(`${request.method} ${request.url}`);
      reply.setHeader("content-type", "application/json").end(JSON.stringify(readable));
    });
    for (const status of [301, 302, 303, 307, 308]) {
      let redirected = 0;
      const outside = await serve((_, reply) => {
        redirected += 1;
        reply.writeHead(status, { location: `${inside}/in` }).end();
      });
      const told = await call(outside).then(JSON.stringify, (error: Error) => `${error.message} ${error.cause}`);
      expect(redirected, `calls with status ${status}`).toBeGreaterThan(0);
      expect(told ?? "").not.toContain(secret);
      expect(asked, `calls with status ${status}`).toEqual([]);
    }
  });
});

testTree("every file of the environments and policies that calls `fetch` forbids redirects", (files) => {
  const fetching = files.filter(
    ({ path, text }) =>
      /^(envs|trainer\/policy)\/.*\.ts$/.test(path) && !path.includes("/lab/") && /[ (]fetch\((?!things)/.test(text),
  );
  // The first file gets the options from its caller, which is in the table above.
  const silent = fetching.filter(({ text }) => !/\bredirect: "(manual|error)"/.test(text)).map(({ path }) => path);
  expect(silent).toEqual(["envs/shared/tools/mcp/bounded-fetch.ts"]);
  expect(fetching.length).toBeGreaterThan(7);
});
