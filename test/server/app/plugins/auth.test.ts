import { describe, expect, test } from "vitest";
import { checkError, eventually, fixture, openGym, type TestGym } from "../../../support/gym.js";
import { InjectedSocket } from "../../../support/injected-socket.js";
import { RawConnection } from "../../../support/raw-connection.js";

const operationsOnOne = ["get", "step", "transcript", "fork", "close", "expert"] as const;
const stepOf = (episodeId: string) => ({ episodeId, index: 0, action: "inventory" });

async function codeOf(gym: TestGym, url: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await gym.app.inject({ url, headers });
  return response.statusCode === 200 ? "ok" : checkError(response.json(), response.statusCode).code;
}

describe("callers who need a token", () => {
  test.each([
    [{}, "ok"],
    [{ host: "::1" }, "ok"],
    [{ host: "localhost" }, "ok"],
    [{ host: "127.5.0.1" }, "ok"],
    [{ auth: "required" }, "TOKEN_MISSING"],
    [{ host: "0.0.0.0" }, "TOKEN_MISSING"],
    [{ host: "::" }, "TOKEN_MISSING"],
    [{ host: "127.0.0.1.example.org" }, "TOKEN_MISSING"],
    [{ host: "128.0.0.1" }, "TOKEN_MISSING"],
    [{ host: "0.0.0.0", auth: "off" }, "ok"],
  ])("with the settings %j, a call without a token is answered with %s", async (settings, expected) => {
    expect(await codeOf(await openGym(settings), "/v1/environments")).toBe(expected);
  });
});

describe("on an address that requires a token", async () => {
  const gym = await openGym({ auth: "required" });
  const token = await gym.createToken();

  test.each(["/livez", "/readyz", "/openapi.json"])("%s is answered without a token", async (url) => {
    expect(await codeOf(gym, url)).toBe("ok");
  });

  test.each(["/v1/environments", "/v1/episodes", "/metrics", "/v1/socket", "/nothing", "/agentgym/textcraft/nothing"])(
    "%s is refused without a token",
    async (url) => {
      expect(await codeOf(gym, url)).toBe("TOKEN_MISSING");
    },
  );

  test("AgentGym's routes refuse such callers in AgentGym's form", async () => {
    const response = await gym.app.inject({ method: "POST", url: "/agentgym/textcraft/create", payload: {} });
    expect([response.statusCode, response.json()]).toEqual([
      401,
      { error: expect.stringMatching(/^expected .*token/i) },
    ]);
  });

  test("a known token opens every route", async () => {
    for (const url of ["/v1/environments", "/v1/episodes", "/agentgym/textcraft/"]) {
      expect((await gym.app.inject({ url, headers: { authorization: `Bearer ${token}` } })).statusCode, url).toBe(200);
    }
    expect((await gym.app.inject({ url: "/metrics", headers: { authorization: `bearer  ${token}` } })).statusCode).toBe(
      200,
    );
  });

  test("a token in the path, before any route, is accepted", async () => {
    expect(await codeOf(gym, `/t/${token}/v1/episodes`)).toBe("ok");
    const created = await gym.app.inject({ method: "POST", url: `/t/${token}/agentgym/textcraft/create`, payload: {} });
    expect(created.json()).toMatchObject({ id: 0, done: false });
    expect(await codeOf(gym, "/t/pal_unknown/v1/episodes")).toBe("TOKEN_INVALID");
    expect(await codeOf(gym, `/t/${token}/nothing`)).toBe("ROUTE_UNKNOWN");
    const socket = await InjectedSocket.open(gym, {}, `/t/${token}/v1/socket`);
    expect(JSON.parse(await socket.text("list"))).toHaveProperty("episodes");
  });

  test.each(["Bearer pal_unknown", "Bearer", "Bearer ", "Basic YTpi", `Bearer ${"x".repeat(10_000)}`, ""])(
    "the header Authorization: %s is refused",
    async (authorization) => {
      expect(await codeOf(gym, "/v1/environments", { authorization })).toBe("TOKEN_INVALID");
    },
  );

  test("a token with extra characters is refused", async () => {
    for (const wrong of [`${token}x`, `x${token}`, token.toUpperCase(), token.slice(0, -1), `${token} x`]) {
      expect(await codeOf(gym, "/v1/environments", { authorization: `Bearer ${wrong}` })).toBe("TOKEN_INVALID");
    }
  });

  test("a socket is opened only with a known token", async () => {
    await expect(InjectedSocket.open(gym)).rejects.toThrow("401");
    await expect(InjectedSocket.open(gym, { token: "pal_unknown" })).rejects.toThrow("401");
    expect(JSON.parse(await (await InjectedSocket.open(gym, { token })).text("list"))).toHaveProperty("episodes");
  });
});

describe("an error about a path that has a token", async () => {
  const [open, closed] = [await openGym(), await openGym({ auth: "required" })];

  // A gym that requires a token would otherwise only report that it found no token.
  test.each([
    ["", "ROUTE_UNKNOWN"],
    ["?x=1", "ROUTE_UNKNOWN"],
    ["/", "ok"],
    ["/nothing", "ROUTE_UNKNOWN"],
    ["/nothing?x=1", "ROUTE_UNKNOWN"],
    [".x/nothing", "TOKEN_INVALID"],
    ["%zz/nothing", "TOKEN_INVALID"],
    [".x", "TOKEN_INVALID"],
  ])("quotes no token: /t/TOKEN%s is answered with %s", async (rest, expected) => {
    for (const gym of [open, closed]) {
      const token = await gym.createToken();
      const { statusCode, payload, headers } = await gym.app.inject({ url: `/t/${token}${rest}` });
      const code = statusCode < 400 ? "ok" : checkError(JSON.parse(payload), statusCode).code;
      expect([code, `${payload}${JSON.stringify(headers)}`.includes(token)]).toEqual([expected, false]);
    }
  });
});

describe("an episode", async () => {
  const gym = await openGym();
  const [ada, bob] = [await gym.createToken(["expert"]), await gym.createToken(["expert"])];

  test.each(operationsOnOne)(
    "of one token is unknown to other tokens and to callers without a token: %s",
    async (name) => {
      const { episodeId } = await gym.create({}, { token: ada });
      const params = name === "step" ? stepOf(episodeId) : { episodeId };
      expect(await gym.refusal(name, params, { token: bob })).toMatchObject({ code: "EPISODE_UNKNOWN" });
      if (name !== "expert") expect(await gym.refusal(name, params)).toMatchObject({ code: "EPISODE_UNKNOWN" });
      expect(await gym.call("get", { episodeId }, { token: ada })).toMatchObject({ phase: "running", index: 0 });
    },
  );

  test("of a caller without a token is unknown to tokens", async () => {
    const { episodeId } = await gym.create();
    expect(await gym.refusal("get", { episodeId }, { token: ada })).toMatchObject({ code: "EPISODE_UNKNOWN" });
    const { results } = await gym.call("stepMany", { steps: [stepOf(episodeId)] }, { token: ada });
    expect(results).toMatchObject([{ error: { code: "EPISODE_UNKNOWN" } }]);
    expect((await gym.call("list", {}, { token: ada })).episodes.map((listed) => listed.episodeId)).not.toContain(
      episodeId,
    );
  });

  test("of another owner is refused with the same message as an episode that does not exist", async () => {
    const { episodeId } = await gym.create({}, { token: ada });
    const missing = episodeId.replace(/[0-9a-f]{20}$/, "0".repeat(20));
    const [foreign, absent] = [
      await gym.refusal("get", { episodeId }),
      await gym.refusal("get", { episodeId: missing }),
    ];
    expect(JSON.stringify(foreign).replaceAll(episodeId, missing)).toBe(JSON.stringify(absent));
  });
});

describe("a revoked token", () => {
  test("is refused soon, and its episodes stay unchanged", async () => {
    const gym = await openGym();
    const token = await gym.createToken();
    const { episodeId } = await gym.create({}, { token });
    await gym.changeTokens((tokens) => tokens.revoke("ada"));
    const status = async () =>
      (await gym.app.inject({ url: "/v1/episodes", headers: { authorization: `Bearer ${token}` } })).statusCode;
    await eventually(async () => (await status()) === 401);
    expect(await gym.refusal("step", stepOf(episodeId), { token })).toMatchObject({ code: "TOKEN_INVALID" });
    expect(await gym.metric("palestra_live_episodes")).toBe(1);
  });

  test("no longer works on a socket that it opened", async () => {
    const gym = await openGym();
    const socket = await InjectedSocket.open(gym, { token: await gym.createToken() });
    const { episodeId } = JSON.parse(await socket.text("create", { environment: "textcraft", task: { index: 0 } }));
    await gym.changeTokens((tokens) => tokens.revoke("ada"));
    await eventually(async () => "error" in (await socket.exchange({ id: 0, op: "get", params: { episodeId } })));
    expect(await socket.refusal("step", stepOf(episodeId))).toMatchObject({ code: "TOKEN_INVALID" });
  });
});

describe("a token that expires", () => {
  const expiring = (gym: TestGym, afterMs: number) => {
    const expiresAt = new Date(Date.now() + afterMs).toISOString();
    return gym.changeTokens((tokens) => tokens.create({ name: "ada", rights: [], maxEpisodes: 9, expiresAt }));
  };

  test("is refused after its expiry, and the error names the time of the expiry", async () => {
    const gym = await openGym({ auth: "required" });
    const { token, secret } = await expiring(gym, -1);
    const error = await gym.refusal("list", {}, { token: secret });
    expect(error).toMatchObject({
      code: "TOKEN_EXPIRED",
      class: "action",
      message: expect.stringMatching(`^The bearer token expired at ${token.expiresAt}\\. `),
    });
    await expect(InjectedSocket.open(gym, { token: secret })).rejects.toThrow("401");
    const headers = { authorization: `Bearer ${secret}` };
    const agentgym = await gym.app.inject({ url: "/agentgym/textcraft/", headers });
    expect([agentgym.statusCode, agentgym.json()]).toEqual([401, { error: error.message }]);
    expect(await gym.refusal("list", {}, { token: `${secret}x` })).toMatchObject({ code: "TOKEN_INVALID" });
  });

  test("ends between two requests of a socket: the running step is answered, and the next request is refused", async () => {
    const gym = await openGym({ environments: [fixture("faulty")] });
    const faulty = { environment: "faulty", task: { index: 0 } };
    // The first episode waits for its host, which may take longer than the token is valid.
    await gym.create(faulty);
    const { token, secret } = await expiring(gym, 10_000);
    const socket = await InjectedSocket.open(gym, { token: secret });
    const { episodeId } = JSON.parse(await socket.text("create", faulty));
    // Each step takes 300 ms, so the later ones end after the expiry.
    const steps = Array.from({ length: 40 }, (_, index) => ({ episodeId, index, action: "slow" }));
    const replies = await Promise.all(steps.map((step) => socket.text("step", step)));
    expect(replies).toHaveLength(40);
    expect(Date.now()).toBeGreaterThan(Date.parse(token.expiresAt as string));
    expect(await socket.refusal("get", { episodeId })).toMatchObject({ code: "TOKEN_EXPIRED" });
    expect(await gym.refusal("get", { episodeId }, { token: secret })).toMatchObject({ code: "TOKEN_EXPIRED" });
  });

  test("works until its expiry", async () => {
    const gym = await openGym({ auth: "required" });
    expect((await gym.call("list", {}, { token: (await expiring(gym, 3_600_000)).secret })).episodes).toEqual([]);
  });
});

test("a request with two Host headers is refused, since a proxy could read the other one", async () => {
  const gym = await openGym();
  const connection = await RawConnection.open(await gym.app.listen({ host: "127.0.0.1", port: 0 }));
  connection.send("GET /livez HTTP/1.1\r\nHost: localhost\r\nhost: evil.test\r\n\r\n");
  const { status, body } = await connection.reply();
  expect([status, JSON.parse(body).error.code]).toEqual([400, "REQUEST_MALFORMED"]);
});

describe("a web page", async () => {
  const gym = await openGym();
  const token = await gym.createToken();
  const url = "/v1/environments";

  test.each(["https://evil.example", "http://localhost:81", "http://127.0.0.1", "null", "", "nonsense", "file://"])(
    "of the origin %s may not call without a token",
    async (origin) => {
      expect(await codeOf(gym, url, { origin })).toBe("ORIGIN_REFUSED");
      expect(await codeOf(gym, url, { origin, authorization: `Bearer ${token}` })).toBe("ok");
    },
  );

  test("of this server may call", async () => {
    expect(await codeOf(gym, url, { origin: "http://localhost:8700", host: "localhost:8700" })).toBe("ok");
    expect(await codeOf(gym, url, { origin: "http://[::1]:8700", host: "[::1]:8700" })).toBe("ok");
  });

  test.each([
    "evil.example",
    "127.0.0.1.evil.example",
    "127.evil.example",
    "localhost.evil.example:8700",
    "[::2]",
    "0.0.0.0",
    "8.8.8.8",
  ])("whose host name %s resolves to this machine may not call", async (host) => {
    expect(await codeOf(gym, url, { host })).toBe("ORIGIN_REFUSED");
    expect(await codeOf(gym, url, { host, origin: `http://${host}` })).toBe("ORIGIN_REFUSED");
    expect(await codeOf(gym, url, { host, "x-forwarded-host": "localhost" })).toBe("ORIGIN_REFUSED");
  });

  test("under any host name may call a gym without tokens that listens on another address, as its warning states", async () => {
    const open = await openGym({ host: "0.0.0.0", auth: "off" });
    const host = "gym.example:8700";
    expect(await codeOf(open, url, { host, origin: `http://${host}` })).toBe("ok");
    expect(await codeOf(open, url, { host, origin: "http://evil.example" })).toBe("ORIGIN_REFUSED");
  });

  test.each(["cross-site", "same-site"])("that loads a picture or script of a %s URL is refused", async (site) => {
    for (const mode of ["no-cors", "cors", "websocket"]) {
      const headers = { "sec-fetch-site": site, "sec-fetch-mode": mode };
      expect(await codeOf(gym, url, headers)).toBe("ORIGIN_REFUSED");
      expect(await codeOf(gym, url, { ...headers, authorization: `Bearer ${token}` })).toBe("ok");
    }
  });

  test.each(["iframe", "frame", "embed", "object"])("that shows the gym in an element %s is refused", async (dest) => {
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": dest };
    expect(await codeOf(gym, url, headers)).toBe("ORIGIN_REFUSED");
    expect(await codeOf(gym, url, { ...headers, "sec-fetch-dest": "document" })).toBe("ok");
  });

  test.each(["application/json", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
    "of another origin may not send a body of the type %s",
    async (type) => {
      const payload = JSON.stringify({ environment: "textcraft", task: { index: 0 } });
      for (const origin of ["https://evil.example", "null"]) {
        const headers = { origin, "content-type": type };
        const response = await gym.app.inject({ method: "POST", url: "/v1/episodes", headers, payload });
        expect([response.statusCode, response.json().error.code]).toEqual([403, "ORIGIN_REFUSED"]);
      }
      // A form of a page that hides its origin is refused by its type.
      if (type === "application/json") return;
      const response = await gym.app.inject({
        method: "POST",
        url: "/v1/episodes",
        headers: { "content-type": type },
        payload,
      });
      expect(response.statusCode).toBeGreaterThanOrEqual(400);
    },
  );

  test.each(["/v1/events", "/metrics", "/v1/runs", "/agentgym/textcraft/"])(
    "of another origin, or below another host name, may not read %s",
    async (path) => {
      for (const headers of [{ origin: "https://evil.example" }, { origin: "null" }, { host: "evil.example" }]) {
        const response = await gym.app.inject({ url: path, headers: headers as Record<string, string> });
        expect(response.statusCode, JSON.stringify(headers)).toBe(403);
        expect(response.headers["access-control-allow-origin"]).toBeUndefined();
      }
    },
  );

  test.each([
    { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" },
    { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" },
    { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
  ])("of the gym itself, or with a link to the gym, is answered: %j", async (headers) => {
    expect(await codeOf(gym, url, headers)).toBe("ok");
  });

  test("of another origin may not open a socket", async () => {
    await expect(InjectedSocket.open(gym, { headers: { origin: "https://evil.example" } })).rejects.toThrow("403");
    await expect(InjectedSocket.open(gym, { headers: { host: "evil.example" } })).rejects.toThrow("403");
  });

  test("gets no permission from a preflight request", async () => {
    const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
    const response = await gym.app.inject({ method: "OPTIONS", url: "/v1/episodes", headers });
    expect(response.statusCode).toBe(403);
    expect(Object.keys(response.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});
