/** A web page of another origin, in a browser on the gym's machine, can neither read nor change the gym. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished } from "vitest";
import { serve } from "../../support/serving.js";
import { openBrowser, testStudio } from "../../support/studio.js";

/** Serves an empty page at another port, which is another origin. */
async function foreignPage(): Promise<string> {
  const server = createServer((_request, response) => {
    response
      .setHeader("content-type", "text/html")
      .end("<!doctype html><title>foreign</title><link rel=icon href=data:,>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Code for the page, which tries everything that a page can send to another origin. */
const attempts = (url: string, id: string) => `(async () => {
  const url = ${JSON.stringify(url)};
  const body = JSON.stringify({ environment: "textcraft", task: { index: 0 } });
  const outcome = (sent) => sent.then(async (reply) => reply.type + " " + reply.status, () => "refused");
  const socket = new WebSocket(url.replace("http", "ws") + "/v1/socket");
  const opened = new Promise((resolve) => { socket.onopen = () => resolve("open"); socket.onerror = () => resolve("refused"); });
  const events = new EventSource(url + "/v1/status");
  const heard = new Promise((resolve) => { events.onopen = () => resolve("open"); events.onerror = () => resolve("refused"); });
  const image = new Image();
  const loaded = new Promise((resolve) => { image.onload = () => resolve("loaded"); image.onerror = () => resolve("refused"); });
  image.src = url + "/v1/episodes/${id}/render";
  const script = document.createElement("script");
  script.src = url + "/v1/episodes";
  document.head.append(script);
  const form = document.createElement("form");
  const target = document.createElement("iframe");
  target.name = "target";
  Object.assign(form, { method: "POST", action: url + "/v1/episodes/${id}/fork", enctype: "text/plain", target: "target" });
  document.body.append(target, form);
  form.submit();
  return {
    read: await outcome(fetch(url + "/v1/episodes")),
    json: await outcome(fetch(url + "/v1/episodes", { method: "POST", headers: { "content-type": "application/json" }, body })),
    simple: await outcome(fetch(url + "/v1/episodes", { method: "POST", mode: "no-cors", body })),
    replay: await outcome(fetch(url + "/v1/episodes/${id}/replay", { method: "POST", mode: "no-cors" })),
    fork: await outcome(fetch(url + "/v1/episodes/${id}/fork", { method: "POST", mode: "no-cors" })),
    socket: await opened,
    events: await heard,
    image: await loaded,
  };
})()`;

testStudio("a page of another origin gets nothing from a gym without tokens, and changes nothing in it", async () => {
  const { url } = await serve();
  const task = { environment: "babyai", task: { index: 0 } };
  const headers = { "content-type": "application/json" };
  const created = await fetch(`${url}/v1/episodes`, { method: "POST", headers, body: JSON.stringify(task) });
  const { episodeId } = (await created.json()) as { episodeId: string };
  const page = await openBrowser({ expected: /./ });
  const statuses: number[] = [];
  page.on("response", (response) => {
    if (response.url().startsWith(url)) statuses.push(response.status());
  });
  await page.goto(await foreignPage());
  expect(await page.evaluate(attempts(url, episodeId))).toEqual({
    read: "refused",
    json: "refused",
    // The browser does not show the page whether these requests were accepted. The statuses below do.
    simple: "opaque 0",
    replay: "opaque 0",
    fork: "opaque 0",
    socket: "refused",
    events: "refused",
    image: "refused",
  });
  expect(statuses.length).toBeGreaterThan(3);
  expect(statuses.filter((status) => status < 400)).toEqual([]);
  const list = (await (await fetch(`${url}/v1/episodes`)).json()) as { episodes: { episodeId: string }[] };
  expect(list.episodes.map((episode) => episode.episodeId)).toEqual([episodeId]);
});

testStudio("a host name that is made to resolve to this machine gives a page no access", async () => {
  const { url } = await serve();
  const args = ["--host-resolver-rules=MAP rebound.example 127.0.0.1"];
  const page = await openBrowser({ args, expected: /./ });
  const rebound = url.replace("127.0.0.1", "rebound.example");
  // The files of the studio are public. For the browser, a page under this host name has the gym's own origin.
  await page.goto(`${rebound}/ui/`);
  const body = JSON.stringify({ environment: "textcraft", task: { index: 0 } });
  const outcomes = await page.evaluate(`(async () => {
    const status = (path, options) => fetch(path, options).then((reply) => reply.status, () => "refused");
    const ends = (target) => new Promise((resolve) => {
      target.onopen = () => resolve("open");
      target.onerror = () => resolve("refused");
    });
    const headers = { "content-type": "application/json" };
    return [
      await status("/v1/episodes"),
      await status("/v1/episodes", { method: "POST", headers, body: ${JSON.stringify(body)} }),
      await status("/metrics"),
      await ends(new EventSource("/v1/events")),
      await ends(new WebSocket("ws://" + location.host + "/v1/socket")),
    ];
  })()`);
  expect(outcomes).toEqual([403, 403, 403, "refused", "refused"]);
  expect(((await (await fetch(`${url}/v1/episodes`)).json()) as { episodes: unknown[] }).episodes).toEqual([]);
});

testStudio("a page of another origin, or of none, cannot show the gym in a frame", async () => {
  const { url } = await serve();
  const page = await openBrowser({ expected: /./ });
  const paths = ["/ui/", "/", "/v1/episodes", "/v1/environments"];
  const home = await foreignPage();
  await page.goto(home);
  const statuses = new Map<string, number>();
  page.on("response", (response) => statuses.set(new URL(response.url()).pathname, response.status()));
  for (const sandbox of [false, true]) {
    await page.evaluate(`(async () => {
      for (const path of ${JSON.stringify(paths)}) {
        const frame = document.createElement("iframe");
        if (${sandbox}) frame.sandbox = "allow-scripts allow-forms";
        frame.src = ${JSON.stringify(url)} + path;
        document.body.append(frame);
        await new Promise((resolve) => { frame.onload = frame.onerror = resolve; });
      }
    })()`);
    const frames = page.frames().slice(1);
    const texts = await Promise.all(frames.map((frame) => frame.evaluate<string>("document.body.innerText")));
    // The browser shows an error for a page that may not be framed, and the gym replies with an error to a call.
    for (const text of texts) expect(text).not.toMatch(/Palestra|"episodes"|"environments"/);
    expect([statuses.get("/v1/episodes"), statuses.get("/v1/environments")]).toEqual([403, 403]);
  }
});
