/** `GET /`: a page for browsers, JSON for programs, and only a hint for callers who need a token. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { fixture, openGym, type TestGym } from "../../../support/gym.js";

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";
const get = (gym: TestGym, headers: Record<string, string> = {}, url = "/") => gym.app.inject({ url, headers });

describe("the root of a gym", async () => {
  const gym = await openGym({ environments: [fixture("needy")] });

  test.each([
    undefined,
    "*/*",
    "application/json",
    "application/json, text/html",
    "text/html;q=0.5, application/json",
    "nonsense",
  ])("is JSON for a client that accepts %s", async (accept) => {
    const reply = await get(gym, accept === undefined ? {} : { accept });
    expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(reply.json()).toMatchObject({ name: "palestra", needsToken: false, links: { openapi: "openapi.json" } });
    expect(reply.json().environments).toContain("textcraft@1");
  });

  test.each([browser, "text/html", "TEXT/HTML;q=0.9, application/json;q=0.8"])(
    "is a page for a client that accepts %s",
    async (accept) => {
      const reply = await get(gym, { accept });
      expect(reply.headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(reply.body).toContain("textcraft@1");
      expect(reply.body).toContain("babyai@1");
      expect(reply.headers.vary).toContain("Accept");
    },
  );

  test("has links that work behind a path prefix", async () => {
    const { body } = await get(gym, { accept: browser });
    const hrefs = [...body.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => (href as string).replaceAll("&#38;", "&"));
    expect(hrefs.length).toBeGreaterThan(10);
    for (const href of hrefs) {
      expect(href).not.toMatch(/^\/|^[a-z]+:/);
      expect((await get(gym, {}, new URL(href, "http://gym/").pathname)).statusCode, href).toBe(200);
    }
  });

  test("loads nothing from elsewhere: its policy allows only its own style", async () => {
    const { body, headers } = await get(gym, { accept: browser });
    const style = /<style>([\s\S]*?)<\/style>/.exec(body)?.[1] as string;
    const policy = headers["content-security-policy"];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`'sha256-${createHash("sha256").update(style).digest("base64")}'`);
    expect(body).not.toMatch(/<script|style=|src=|@import|url\(/);
    expect(headers["referrer-policy"]).toBe("no-referrer");
  });

  test("names the requirements that this machine lacks", async () => {
    expect((await get(gym, { accept: browser })).body).toMatch(/needy@1.*<small>needs [^<]+/);
  });

  test("hides the environments from pages of other origins or host names", async () => {
    for (const headers of [{ origin: "https://evil.example" }, { host: "evil.example" }]) {
      expect((await get(gym, headers)).json()).toMatchObject({ needsToken: true, environments: [] });
    }
  });

  test("answers only GET", async () => {
    expect((await gym.app.inject({ method: "POST", url: "/" })).statusCode).toBe(405);
  });
});

describe("on an address that requires a token", async () => {
  const gym = await openGym({ auth: "required" });
  const token = await gym.createToken();

  test("the root asks for a token and shows nothing else", async () => {
    const page = await get(gym, { accept: browser });
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain("npx palestra token create");
    expect(page.body).not.toContain("textcraft@1");
    expect((await get(gym)).json()).toMatchObject({ needsToken: true, environments: [] });
    expect((await get(gym, { authorization: "Bearer pal_unknown" })).json()).toMatchObject({ needsToken: true });
  });

  test("a token in the header or in the path shows the environments", async () => {
    expect((await get(gym, { authorization: `Bearer ${token}` })).json().needsToken).toBe(false);
    expect((await get(gym, { accept: browser }, `/t/${token}/`)).body).toContain("textcraft@1");
  });
});
