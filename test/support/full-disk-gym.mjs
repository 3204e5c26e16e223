/**
 * Plays in a gym until a step is refused because its files reach this process's size limit,
 * and prints the error: node full-disk-gym.mjs DATA_DIR FAULTY_ENVIRONMENT
 */
import { buildApp } from "#palestra/server/app/app.js";
import { loadConfig } from "#palestra/server/config/settings.js";

const [dataDir, environment] = process.argv.slice(2);
const settings = { dataDir, environments: [environment], logLevel: "silent", hosts: { count: 1 } };
const app = await buildApp(loadConfig({ env: {}, flags: settings }));
const post = (url, payload) => app.inject({ method: "POST", url, payload });

const task = { environment: "faulty", task: { index: 0 } };
const { episodeId } = (await post("/v1/episodes", task)).json();
const action = "x".repeat(20_000);
const codes = new Set();
let acknowledged = 0;
for (let refused = 0; refused < 5; ) {
  const reply = await post(`/v1/episodes/${episodeId}/step`, { index: acknowledged, action });
  if (reply.statusCode === 200) acknowledged += 1;
  else {
    codes.add(reply.json().error.code);
    refused += 1;
  }
}
process.stdout.write(JSON.stringify({ episodeId, acknowledged, codes: [...codes] }), () => process.exit(0));
