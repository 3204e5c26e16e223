/** Bytes that do not form a routable request: the reply, and what becomes of the connection. */
import { expect, test } from "vitest";
import { checkError } from "../support/gym.js";
import { RawConnection, type RawReply } from "../support/raw-connection.js";
import { upgradeHeaders } from "../support/raw-frames.js";
import { connect, serve } from "../support/serving.js";
import { eventually, openDescriptors } from "../support/watching.js";

/** Headers that Java's HttpClient and `curl --http2` send to every plain HTTP server. */
const h2cHeaders = {
  connection: "Upgrade, HTTP2-Settings",
  upgrade: "h2c",
  "http2-settings": "AAMAAABkAARAAAAAAAIAAAAA",
};
const json = { "content-type": "application/json" };
const creation = JSON.stringify({ environment: "textcraft", task: { index: 0 } });

test("an upgrade to another protocol is ignored, and the requests with their bodies are answered", async () => {
  const { url } = await serve();
  const connection = await RawConnection.open(url);
  for (let round = 0; round < 3; round++) {
    connection.request("GET /livez", h2cHeaders);
    expect(await connection.reply()).toMatchObject({ status: 200, body: '{"status":"ok","detail":"alive"}' });
    connection.request("POST /v1/episodes", { ...h2cHeaders, ...json }, creation);
    const created = await connection.reply();
    expect([created.status, JSON.parse(created.body)]).toMatchObject([200, { environment: "textcraft@1", index: 0 }]);
    connection.request("POST /v1/episodes", { ...h2cHeaders, ...json, "transfer-encoding": "chunked" });
    connection.send(`${creation.length.toString(16)}\r\n${creation}\r\n0\r\n\r\n`);
    expect(await connection.reply()).toMatchObject({ status: 200 });
    connection.request("POST /v1/episodes", { ...h2cHeaders, ...json }, "{}");
    expect(codeOf(await connection.reply())).toBe("REQUEST_INVALID");
  }
});

test("a WebSocket upgrade on a path without WebSockets is answered as a plain request, and the connection closes", async () => {
  const { url } = await serve();
  for (const [line, code] of [
    ["GET /nothing", "ROUTE_UNKNOWN"],
    ["GET /v1/socket/more", "ROUTE_UNKNOWN"],
    ["GET /v1/episodes/ep-0", "EPISODE_UNKNOWN"],
    ["POST /v1/socket", "METHOD_NOT_ALLOWED"],
    ["CONNECT localhost:80", "ROUTE_UNKNOWN"],
  ] as const) {
    const connection = await RawConnection.open(url);
    connection.request(line, upgradeHeaders);
    expect(codeOf(await connection.reply()), line).toBe(code);
    await connection.closed;
  }
  const connection = await RawConnection.open(url);
  connection.request("POST /v1/episodes", { ...upgradeHeaders, ...json }, creation);
  expect(await connection.reply()).toMatchObject({ status: 200 });
  await connection.closed;
});

test("a refused upgrade is answered with its error, and the connection closes without further bytes", async () => {
  const { url, process } = await serve();
  const refuse = async (headers: Record<string, string>, path: string, code: string) => {
    const connection = await RawConnection.open(url);
    connection.request(`GET ${path}`, { ...upgradeHeaders, ...headers });
    const reply = await connection.reply();
    expect(codeOf(reply)).toBe(code);
    expect(reply.headers.connection).toBe("close");
    await connection.closed;
  };
  const refuseAll = async (times: number) => {
    for (let i = 0; i < times; i++) {
      await Promise.all([
        refuse({ authorization: "Bearer pal_unknown" }, "/v1/socket", "TOKEN_INVALID"),
        refuse({}, "/t/pal_unknown/v1/socket?a=1", "TOKEN_INVALID"),
        refuse({ origin: "https://evil.example" }, "/v1/socket", "ORIGIN_REFUSED"),
        refuse({ "sec-websocket-version": "99" }, "/v1/socket", "REQUEST_INVALID"),
        refuse({ "sec-websocket-key": "short" }, "/v1/socket", "REQUEST_INVALID"),
      ]);
    }
  };
  await refuseAll(2);
  const before = openDescriptors(process.pid);
  await refuseAll(20);
  const after = await eventually(
    () => openDescriptors(process.pid),
    (open) => open <= before,
  );
  expect(after).toBeLessThanOrEqual(before);
  const socket = await connect(url);
  expect(await socket.request("list")).toEqual({ episodes: [], next: null });
});

test("bytes that are not a request are answered with an error of the table, and the connection closes", async () => {
  const { url } = await serve();
  const long = "x".repeat(200_000);
  const posted = "POST /v1/episodes HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
  for (const [sent, code] of [
    [`GET /v1/environments?x=${long} HTTP/1.1\r\nhost: localhost\r\n\r\n`, "REQUEST_HEAD_TOO_LARGE"],
    [`GET /v1/environments HTTP/1.1\r\nhost: localhost\r\nx: ${long}\r\n\r\n`, "REQUEST_HEAD_TOO_LARGE"],
    ["NO REQUEST\r\n\r\n", "REQUEST_MALFORMED"],
    ["\u0016\u0003\u0001\u0002\u0000", "REQUEST_MALFORMED"],
    ["POST /v1/episodes HTTP/1.1\r\nhost: localhost\r\ncontent-length: many\r\n\r\n", "REQUEST_MALFORMED"],
    [`${posted}transfer-encoding: chunked\r\n\r\nno length\r\n`, "REQUEST_MALFORMED"],
  ] as const) {
    const connection = await RawConnection.open(url);
    connection.send(sent);
    const reply = await connection.reply();
    expect(codeOf(reply), sent.slice(0, 40)).toBe(code);
    expect(reply.headers).toMatchObject({ connection: "close", "content-type": "application/json; charset=utf-8" });
    await connection.closed;
  }
  expect((await fetch(`${url}/livez`)).status).toBe(200);
});

test("an invalid request behind a pending one is not sent as the reply to the pending one", async () => {
  const { url } = await serve();
  const connection = await RawConnection.open(url);
  connection.send(`GET /v1/environments HTTP/1.1\r\nhost: localhost\r\n\r\nNO REQUEST\r\n\r\n`);
  const status = await connection.reply().then(
    (reply) => reply.status,
    () => "closed",
  );
  expect(status).toBeOneOf([200, "closed"]);
});

function codeOf({ status, body }: RawReply): string {
  return checkError(JSON.parse(body), status).code;
}
