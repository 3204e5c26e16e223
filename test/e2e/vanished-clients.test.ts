/** Clients that vanish without closing their connection, as with a lost network or a stopped machine. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { RawConnection } from "../support/raw-connection.js";
import { root } from "../support/server-process.js";
import { serve } from "../support/serving.js";
import { eventually, metric } from "../support/watching.js";

test("an idle connection, a silent one and one with half a request are closed in bounded time", {
  timeout: 240_000,
}, async () => {
  // The limits are 6 seconds for a request, and 7 seconds for an idle connection.
  const { url } = await serve({ pace: 0.1 });
  const [idle, silent, half] = await Promise.all([0, 1, 2].map(() => RawConnection.open(url)));
  idle?.request("GET /livez");
  expect((await idle?.reply())?.status).toBe(200);
  half?.send("POST /v1/episodes HTTP/1.1\r\nhost: localhost\r\ncontent-le");
  const startedAt = performance.now();
  const seconds = await Promise.all(
    [idle, silent, half].map(async (connection) => {
      await connection?.closed;
      return ((performance.now() - startedAt) / 1_000).toFixed(0);
    }),
  );
  console.info(`closed after ${seconds.join(", ")} s`);
});

test("the system probes the peer of every connection", async (context) => {
  const table = "/proc/net/tcp";
  if (!existsSync(table)) return context.skip(`expected ${table}, but received a system without it`);
  const { url } = await serve();
  const connection = await RawConnection.open(url);
  connection.request("GET /livez");
  await connection.reply();
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, "0");
  const ends = [Number(new URL(url).port), connection.socket.localPort as number].map((port) => `:${hex(port)}`);
  const rows = readFileSync(table, "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, remote]) => local?.endsWith(ends[0] as string) && remote?.endsWith(ends[1] as string));
  // The sixth column is the active timer: 02 is that of the probes.
  expect(rows.map((row) => row[5]?.slice(0, 2))).toEqual(["02"]);
});

test("the sockets of a client whose process is stopped are closed", async () => {
  const { url } = await serve({ env: { PALESTRA_SOCKETS_PING_MS: "300" } });
  const script = `
    import { WebSocket } from "ws";
    const socket = new WebSocket(${JSON.stringify(`${url.replace("http", "ws")}/v1/socket`)});
    socket.on("open", () => console.log("open"));`;
  const client = spawn(process.execPath, ["--input-type=module", "-e", script], { cwd: root });
  onTestFinished(() => void client.kill("SIGKILL"));
  await once(client.stdout, "data");
  expect(await metric(url, "palestra_sockets")).toBe(1);
  client.kill("SIGSTOP");
  expect(
    await eventually(
      () => metric(url, "palestra_sockets"),
      (sockets) => sockets === 0,
    ),
  ).toBe(0);
});
