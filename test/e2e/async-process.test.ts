/** The end of the process of async environments when the server is stopped or killed. */
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { distantId } from "../support/distant-gym.js";
import { eventually, fixture } from "../support/gym.js";
import { connect, serve } from "../support/serving.js";

async function playing(action: string) {
  const { process: server, url } = await serve({ environmentModules: [fixture("distant")] });
  const socket = await connect(url);
  const task = { split: "play", index: 0 };
  const { episodeId } = await socket.request<{ episodeId: string }>("create", { environment: distantId, task });
  const { answer } = await socket.request<{ answer: { pid: number } }>("query", { episodeId, query: "census" });
  socket.request("step", { episodeId, index: 0, action }).catch(() => {});
  return { server, pid: answer.pid };
}

test.each(["wait 200", "hang", "loop", "stay open"])("a killed server leaves no process behind: %s", async (action) => {
  const { server, pid } = await playing(action);
  expect(existsSync(`/proc/${pid}`)).toBe(true);
  await server.kill();
  await eventually(() => !existsSync(`/proc/${pid}`));
});

test("a Ctrl-C reaches both processes, and the server stops cleanly", async () => {
  const { server, pid } = await playing("wait 200");
  process.kill(pid, "SIGINT");
  server.signal("SIGINT");
  expect(await server.exited).toEqual({ code: 0, signal: null });
  expect(existsSync(`/proc/${pid}`)).toBe(false);
});
