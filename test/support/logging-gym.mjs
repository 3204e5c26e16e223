/**
 * Makes all kinds of calls to a gym that logs to this process's standard output: node logging-gym.mjs DATA_DIR TOKEN
 */
import { buildApp } from "#palestra/server/app/app.js";
import { loadConfig } from "#palestra/server/config/settings.js";

const [dataDir, token] = process.argv.slice(2);
const app = await buildApp(loadConfig({ env: {}, flags: { dataDir, logLevel: "trace", hosts: { count: 1 } } }));
app.get("/boom", () => {
  throw new Error("boom");
});

const headers = { authorization: `Bearer ${token}` };
const payload = { environment: "textcraft", task: { index: 0 } };
const { episodeId } = (await app.inject({ method: "POST", url: "/v1/episodes", headers, payload })).json();
const step = { method: "POST", url: `/v1/episodes/${episodeId}/step`, headers };
await app.inject({ ...step, payload: { index: 0, action: "open sesame" } });
await app.inject({ ...step, payload: { index: 0, action: "open barley" } });
for (const url of ["/boom", "/nothing", "/v1/episodes?limit=0"]) await app.inject({ url, headers });
for (const rest of ["/v1/episodes", "/nothing", "/boom", "", "?a=1", "%2Fv1", `/t/${token}`]) {
  await app.inject(`/t/${token}${rest}`);
}
const encoded = [...token].map((character) => `%${character.charCodeAt(0).toString(16)}`).join("");
await app.inject(`/t/${encoded}/v1/episodes`);
await app.inject({ url: "/v1/episodes", headers: { authorization: `Bearer ${token}x` } });
await app.close();
