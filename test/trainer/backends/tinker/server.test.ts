/** The client of the Tinker API against a server that is away, busy, forgetful, or whose replies are lost. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { BackendLost } from "#palestra/trainer/backends/backend.js";
import { TinkerServer } from "#palestra/trainer/backends/tinker/server.js";
import { freePort } from "../../../support/free-port.js";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A server that answers its requests in order, the last answer again and again. */
async function scripted(...answers: Answer[]) {
  const told: string[] = [];
  const server = createServer((request, response) => {
    told.push(request.url ?? "");
    const [first, ...rest] = answers;
    if (rest.length > 0) answers.shift();
    request.resume().on("end", () => first?.(response, request));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { told, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const says =
  (status: number, body: object): Answer =>
  (response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
const hangsUp: Answer = (response) => void response.destroy();

function clientOf(url: string, changes: { apiKey?: string; patienceMs?: number; signal?: AbortSignal } = {}) {
  const lines: string[] = [];
  const given = { apiKey: undefined, patienceMs: 60_000, signal: new AbortController().signal, ...changes };
  return {
    lines,
    client: new TinkerServer({ url, say: (line) => lines.push(line), backOff: { baseMs: 1, maxMs: 5 }, ...given }),
  };
}

test("a busy server is asked again, and the terminal says when it replies again", async () => {
  const { url, told } = await scripted(
    says(503, { detail: "starting" }),
    says(429, {}),
    says(200, { session_id: "a" }),
  );
  const { client, lines } = clientOf(`${url}/`);
  expect(await client.call("create_session", {})).toEqual({ session_id: "a" });
  expect(told).toEqual(Array(3).fill("/api/v1/create_session"));
  expect(lines[0]).toBe(`waiting for ${url}/api/v1: status 503: starting`);
  expect(lines[1]).toMatch(/^reached http.* again after \d+\.\d s$/);
  expect(client.awaySeconds).toBeGreaterThan(0);
});

test("a server that is not there is waited for, and then given up", async () => {
  const { client, lines } = clientOf(`http://127.0.0.1:${await freePort()}`, { patienceMs: 0 });
  await expect(client.call("optim_step", {})).rejects.toMatchObject({
    code: "BACKEND_UNREACHABLE",
    message: expect.stringMatching(/^expected a reply of .*\/optim_step within backend_wait_minutes/),
  });
  expect(lines).toHaveLength(1);
});

test("a request that changes weights is not sent again when its reply is lost, and a repeatable one is", async () => {
  const changing = await scripted(hangsUp, says(200, {}));
  await expect(clientOf(changing.url).client.call("optim_step", {})).rejects.toThrow(BackendLost);
  expect(changing.told).toHaveLength(1);
  const failing = await scripted(says(502, {}), says(200, {}));
  await expect(clientOf(failing.url).client.call("optim_step", {})).rejects.toThrow(BackendLost);
  const asking = await scripted(hangsUp, says(502, {}), says(200, { done: 1 }));
  expect(await clientOf(asking.url).client.call("asample", {}, { repeatable: true })).toEqual({ done: 1 });
});

test("a result is waited for, and its failure has the server's own words", async () => {
  const pending = says(200, { type: "try_again", request_id: "4", queue_state: "active" });
  const begun = says(200, { request_id: "4" });
  const { url, told } = await scripted(begun, says(408, {}), pending, says(200, { path: "tinker://a/weights/b" }));
  expect(await clientOf(url).client.result("save_weights", {})).toEqual({ path: "tinker://a/weights/b" });
  expect(told.slice(1)).toEqual(Array(3).fill("/api/v1/retrieve_future"));
  const failed = await scripted(begun, says(200, { error: "out of memory", category: "server" }));
  await expect(clientOf(failed.url).client.result("optim_step", {})).rejects.toMatchObject({
    code: "BACKEND_REFUSED",
    message: "expected status 200 of optim_step, but received 400: out of memory.",
  });
  const broken = await scripted(begun, says(500, { detail: "Unknown error" }));
  await expect(clientOf(broken.url).client.result("optim_step", {})).rejects.toThrow("500: Unknown error.");
});

test.each([
  [404, "Model not found"],
  [400, "Model model_1 not loaded"],
  [404, "Future not found"],
  [410, "gone"],
])("status %i with %j means that the server lost the weights", async (status, detail) => {
  const { url } = await scripted(says(status, { detail }));
  await expect(clientOf(url).client.call("forward_backward", {})).rejects.toThrow(BackendLost);
});

test("a key is sent as x-api-key, and a refused one is told with the remedy", async () => {
  let key: unknown;
  const { url } = await scripted((response, request) => {
    key = request.headers["x-api-key"];
    says(401, { detail: "no such key" })(response, request);
  });
  await expect(clientOf(url, { apiKey: "tml-1" }).client.call("create_session", {})).rejects.toMatchObject({
    message:
      "expected status 200 of create_session, but received 401: no such key. Set the environment variable TINKER_API_KEY.",
  });
  expect(key).toBe("tml-1");
});

test("a server that takes neither JSON nor protobuf is refused", async () => {
  const { url, told } = await scripted(says(415, { detail: "no JSON" }), says(422, { detail: "no protobuf" }));
  const request = { model_id: "m", seq_id: 1, forwardOnly: false, input: { data: [], loss_fn: "ppo" } };
  await expect(clientOf(url).client.pass(request)).rejects.toMatchObject({ code: "BACKEND_REFUSED" });
  expect(told).toHaveLength(2);
});
