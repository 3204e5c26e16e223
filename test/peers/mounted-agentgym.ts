/**
 * Mounts AgentGym's own TextCraft server and compares 61 recorded episodes over `/v1`. Start the server first, in a clone of
 * https://github.com/WooooDyy/AgentGym, with fastapi, uvicorn and gymnasium installed:
 *
 *     cd agentenv-textcraft && python -c '
 *     import os; listdir = os.listdir; os.listdir = lambda path=".": sorted(listdir(path))
 *     import uvicorn; uvicorn.run("agentenv_textcraft:app", port=36001)'
 *
 * The recordings number the tasks by the sorted names of the recipe files. AgentGym takes the order of the file system.
 *
 * Usage: node --import tsx test/peers/mounted-agentgym.ts http://127.0.0.1:36001
 */
import { compareTraces } from "../support/mounted-traces.js";
import { scratchDir, spawnGym } from "../support/server-process.js";

const [address] = process.argv.slice(2);
if (address === undefined) throw new Error("expected the URL of AgentGym's TextCraft server, but received none");

const { path, remove } = scratchDir();
const mounts = JSON.stringify([`craft=agentgym/textcraft:${address}#steps=1000`]);
const gym = spawnGym({ dataDir: path, env: { PALESTRA_MOUNTS: mounts }, showErrors: true });
try {
  const comparison = await compareTraces(await gym.listeningUrl(), "craft", 61);
  console.log(JSON.stringify(comparison, null, 2));
  if (comparison.differences.length > 0) process.exitCode = 1;
} finally {
  await gym.stop();
  remove();
}
