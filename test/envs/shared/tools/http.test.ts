/** Web services as tools, called over a real connection. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { ServiceFailed } from "#palestra/envs/errors.js";
import { type HttpTool, httpKit } from "#palestra/envs/shared/tools/http.js";
import { openGym, scratchDir } from "../../../support/gym.js";
import { file, ownGym, played, sums } from "../../custom/support.js";

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

type Handler = (response: ServerResponse, seen: Seen) => void;

/** Starts a service and records its requests. */
async function service(handler: Handler = (response) => response.end("ok")) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method = "", url = "", headers } = request;
    seen.push({ method, url, headers, body });
    handler(response, seen.at(-1) as Seen);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as { port: number }).port}`, seen };
}

const properties = { city: { type: "string" }, days: {}, "a-b": {} };

function toolOf(changes: Partial<HttpTool>): HttpTool {
  const parameters = { type: "object", properties } as const;
  const most = { name: "weather", description: "The weather.", parameters, headers: {}, timeoutMs: 30_000 };
  return { ...most, method: "GET", url: "http://127.0.0.1:1/", ...changes };
}

function call(changes: Partial<HttpTool>, given: Record<string, unknown> = {}) {
  const session = httpKit(toolOf(changes)).open({ sandboxes: undefined as never });
  return session.call("weather", given, new AbortController().signal);
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("arguments in the URL", () => {
  test.each([
    [{ city: "São Paulo", days: 3 }, "/v1/S%C3%A3o%20Paulo/now?days=3&units=c"],
    [{ city: "a/b?c=d&e#f", days: "1&x=2" }, "/v1/a%2Fb%3Fc%3Dd%26e%23f/now?days=1%26x%3D2&units=c"],
    [{ city: "v1.2..3", days: ["a", 1] }, "/v1/v1.2..3/now?days=%5B%22a%22%2C1%5D&units=c"],
    [{ city: "\ud800", days: false }, "/v1/%EF%BF%BD/now?days=false&units=c"],
    [{ city: 0 }, "/v1/0/now?units=c"],
    [{ city: "x", days: null }, "/v1/x/now?units=c"],
    [{ city: "x", days: "" }, "/v1/x/now?days=&units=c"],
  ])("%j", async (given, url) => {
    const { origin, seen } = await service();
    await call({ url: `${origin}/v1/{city}/now?days={days}&units=c` }, given);
    expect(seen.map((request) => request.url)).toEqual([url]);
  });

  test.each(["..", ".", "../admin", "..\\admin", "%2e%2e", "..%2fadmin", "a/../../b", "%2E./x", ""])(
    "cannot leave their place in the template: %j",
    async (city) => {
      const { origin, seen } = await service();
      const { text, isError } = await call({ url: `${origin}/v1/{city}/now` }, { city });
      expect([isError, seen]).toEqual([true, []]);
      expect(text).toMatch(/^Error: expected .+ city, but received .+\.$/);
    },
  );

  test("cannot form a `..` segment from two halves", async () => {
    const { origin, seen } = await service();
    expect(await call({ url: `${origin}/v1/.{city}/now` }, { city: "." })).toMatchObject({ isError: true });
    expect(await call({ url: `${origin}/v1/{city}/now` }, {})).toMatchObject({ isError: true });
    expect(await call({ url: `${origin}/v1/{city}/now` }, Object.create({ city: "x" }))).toMatchObject({
      isError: true,
    });
    expect(seen).toEqual([]);
  });
});

test("arguments in the body keep their types, and missing ones are omitted", async () => {
  const { origin, seen } = await service();
  const body = { where: "{city}", text: "in {city} for {days}", list: ["{days}", 1, null], q: "query {user {name}}" };
  const post = { method: "POST", url: origin, body: { ...body, more: { odd: "{a-b}" } } } as const;
  await call(post, { city: "Rome", days: [1, { b: true }], "a-b": 1.5 });
  await call(post, { city: null });
  expect(seen.map((request) => [request.headers["content-type"], JSON.parse(request.body)])).toEqual([
    [
      "application/json",
      {
        where: "Rome",
        text: 'in Rome for [1,{"b":true}]',
        list: [[1, { b: true }], 1, null],
        q: "query {user {name}}",
        more: { odd: 1.5 },
      },
    ],
    ["application/json", { where: null, text: "in  for ", list: [null, 1, null], q: "query {user {name}}", more: {} }],
  ]);
});

describe("a reply", () => {
  const reply = async (handler: Handler, changes: Partial<HttpTool> = {}) =>
    call({ url: (await service(handler)).origin, ...changes });

  test("is shown unchanged in any text format", async () => {
    expect(await reply((response) => response.end('{"a": 1}'))).toEqual({ text: '{"a": 1}' });
    expect(await reply((response) => response.end("<p>no JSON</p>"))).toEqual({ text: "<p>no JSON</p>" });
    expect(await reply((response) => response.writeHead(204).end())).toEqual({ text: "" });
  });

  test("with status 4xx is shown as an error", async () => {
    expect(await reply((response) => response.writeHead(404).end("no such city"))).toEqual({
      text: "Error 404: no such city",
      isError: true,
    });
  });

  test("that is not text is described", async () => {
    const type = { "content-type": "image/png" };
    expect((await reply((response) => response.writeHead(200, type).end("PNG"))).text).toBe(
      "[3 bytes of image/png that cannot be shown as text]",
    );
    expect((await reply((response) => response.end(Buffer.from([1, 0, 2])))).text).toMatch(/^\[3 bytes of no stated/);
  });

  test("that is long or endless is cut", async () => {
    const cut = /^x{10000}\n\[\.\.\. 1028576 characters left out \.\.\.\]\nx{10000}$/;
    expect((await reply((response) => response.end("x".repeat(50 * 2 ** 20)))).text).toMatch(cut);
    const endless: Handler = (response) => {
      const more = () => response.destroyed || response.write("x".repeat(2 ** 16), () => setImmediate(more));
      more();
    };
    expect((await reply(endless)).text).toMatch(cut);
  });

  test.each([
    ["5xx", (response) => response.writeHead(503).end("busy"), /received status 503$/],
    ["that the service has too much to do", (response) => response.writeHead(429).end(), /status 429/],
    ["that the key is wrong", (response) => response.writeHead(401).end(), /status 401/],
    ["a redirect", (response) => response.writeHead(302, { location: "/x" }).end(), /status 302, a redirect, which/],
    ["nothing", () => {}, /no reply within 1000 ms/],
    ["a drop now and then", (response) => void setInterval(() => response.write("x"), 50).unref(), /no reply within/],
    [
      "half of what it promised",
      (response) => {
        response.writeHead(200, { "content-length": 10 }).write("x");
        setTimeout(() => response.destroy(), 50);
      },
      /terminated/,
    ],
  ] satisfies [string, Handler, RegExp][])("fails the step if it is %s", async (_, handler, received) => {
    const changes = `${received}`.includes("no reply") ? { timeoutMs: 1_000 } : {};
    const error = await reply(handler, changes).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ServiceFailed);
    expect(error.message).toMatch(received);
  });

  test("fails the step if there is no service", async () => {
    await expect(call({})).rejects.toThrow(/the service behind the tool weather, but received fetch failed/);
  });
});

describe("an invalid template is refused", () => {
  test.each([
    ["a place for the host", { url: "http://{city}.test/" }, /path or the query of the URL .* http:\/\/\{city\}/],
    ["a password", { url: "http://ada:hush@a.test/" }, /without a password/],
    ["no URL", { url: "http://" }, /expected a URL/],
    ["an unknown place", { url: "http://a.test/{town}" }, /parameters \(city, days, a-b\) in the URL.*\{town\}/],
    ["a body with GET", { body: {} }, /no body with the method GET/],
    [
      "an unset variable",
      { headers: { key: `\${NO_SUCH_KEY}` } },
      /variable NO_SUCH_KEY, which the tool weather names/,
    ],
    ["a header's name", { headers: { "a b": "c" } }, /cannot be sent: "a b"/],
  ])("%s", (_, changes, reason) => {
    const refusal = () => httpKit(toolOf(changes));
    expect(refusal).toThrow(reason);
    expect(refusal).not.toThrow(/hush/);
  });
});

describe("a secret of a header", () => {
  test("reaches the service and appears nowhere else", async () => {
    vi.stubEnv("WEATHER_KEY", "hush-hush");
    const { origin, seen } = await service((response, { url, headers }) => {
      if (url === "/fail") response.destroy();
      else response.writeHead(url === "/wrong" ? 400 : 200).end(`your headers: ${JSON.stringify(headers)}`);
    });
    const { name, description, parameters } = toolOf({});
    const http = { name, description, parameters, url: `${origin}/{city}`, headers: { key: `v \${WEATHER_KEY}` } };
    const gym = await ownGym({ tasks: file("tasks.jsonl", sums), tools: [{ http }] });
    const { episodeId, replies } = await played(gym, ['weather {"city": "here"}', 'weather {"city": "wrong"}']);
    expect(seen.map(({ headers }) => headers.key)).toEqual(["v hush-hush", "v hush-hush"]);
    expect(replies.map(({ observation }) => observation)).toEqual([
      expect.stringContaining('"key":"v [secret]"'),
      expect.stringMatching(/^Error 400: .*\[secret\]/),
    ]);
    const refusal = await gym.refusal("step", { episodeId, index: 2, action: 'weather {"city": "fail"}' });
    expect(refusal).toMatchObject({ code: "SERVICE_FAILED", class: "infrastructure" });
    // An agent that writes text instead of function calls also has to know the arguments.
    const { prompt } = await gym.call("getEnvironment", { environment: "own" });
    expect(prompt).toContain(
      `- weather {arguments}: The weather.\n  JSON Schema of {arguments}: ${JSON.stringify(parameters)}\n- submit {answer}`,
    );
    const said = [refusal, await gym.call("getEnvironment", { environment: "own" })].map((each) =>
      JSON.stringify(each),
    );
    expect([...said, await gym.text("transcript", { episodeId })].join()).not.toContain("hush");
  });

  test("is required when the gym starts", async () => {
    const { name, description, parameters } = toolOf({});
    const http = { name, description, parameters, url: "http://a.test/", headers: { key: `\${NO_SUCH_KEY}` } };
    const entry = JSON.stringify({ id: "own", tasks: file("tasks.jsonl", sums), tools: [{ http }] });
    await expect(openGym({ environments: [entry] }, scratchDir())).rejects.toThrow(/variable NO_SUCH_KEY/);
  });
});
