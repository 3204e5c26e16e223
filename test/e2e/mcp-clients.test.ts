/** The Python clients of the Model Context Protocol, unchanged: `mcp` 2.3.0 and `fastmcp` 3.4.11. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { root } from "../support/server-process.js";
import { connect, serve } from "../support/serving.js";

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "palestra");
/** A Python with each client, which .ci/run installs. */
const pythons = {
  mcp: process.env.MCP_PYTHON ?? join(cache, "mcp-2.3.0/bin/python"),
  fastmcp: process.env.OPENENV_PYTHON ?? join(cache, "openenv-0.10.0/bin/python"),
};

interface Played {
  tools: string[];
  texts: string[];
  failed: boolean[];
  resources: string[];
}

test.for(Object.entries(pythons))("%s plays an episode", async ([kind, python], context) => {
  if (!existsSync(python)) context.skip(`no Python with ${kind} at ${python}`);
  const { url } = await serve();
  const socket = await connect(url);
  const { episodeId } = await socket.request<{ episodeId: string }>("create", {
    environment: "textcraft",
    task: { split: "all", index: 3 },
  });
  const calls = [
    ["get", { count: 2, item: "dirt" }],
    ["fly", {}],
    ["inventory", {}],
  ];
  const program = join(root, "test/e2e/mcp-client.py");
  const address = `${url}/mcp/textcraft/${episodeId}`;
  const { stdout } = await promisify(execFile)(python, [program, kind, address, JSON.stringify(calls)]);
  const played = JSON.parse(stdout) as Played;
  expect(played).toEqual({
    tools: ["get", "craft", "inventory"],
    texts: ["Got 2 dirt", expect.stringContaining("expected one of the tools"), "Inventory: [dirt] (2) "],
    failed: [false, true, false],
    resources: [`palestra://episodes/${episodeId}/transcript`],
  });
  expect(await socket.request("get", { episodeId })).toMatchObject({ index: 2 });
});
