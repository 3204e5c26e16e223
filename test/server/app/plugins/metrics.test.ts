import { expect, test } from "vitest";
import { fixture, openGym } from "../../../support/gym.js";

const gym = await openGym({ environments: [fixture("faulty")] });
const token = await gym.createToken();
const { episodeId } = await gym.create({ seed: 987_654_321 }, { token });
await gym.step(episodeId, 0, "get 1 dirt", { token });
await gym.step(episodeId, 1, "inventory", { token });
const failing = await gym.create({ environment: "faulty", task: { index: 0 } });
await gym.refusal("step", { episodeId: failing.episodeId, index: 0, action: "throw" });
await gym.refusal("get", { episodeId: "ep-0" });
const { payload, headers } = await gym.app.inject("/metrics");

const families = [...payload.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`);
const samples = payload.split("\n").filter((line) => line !== "" && !line.startsWith("#"));

test("the metrics are in the text format of Prometheus", () => {
  expect(headers["content-type"]).toContain("text/plain; version=0.0.4");
  for (const sample of samples) expect(sample).toMatch(/^[a-z0-9_]+(\{[^}]*\})? [-+0-9.eNaInf]+$/);
});

test.each([
  "palestra_step_duration_seconds histogram",
  "palestra_episodes_created_total counter",
  "palestra_episode_failures_total counter",
  "palestra_errors_total counter",
  "palestra_leases_lapsed_total counter",
  "palestra_places_yielded_total counter",
  "palestra_hosts_lost_total counter",
  "palestra_stray_errors_total counter",
  "palestra_sockets gauge",
  "palestra_log_bytes gauge",
  "palestra_log_used_bytes gauge",
  "palestra_log_disk_free_bytes gauge",
  "palestra_log_written_bytes_total counter",
  "palestra_new_episodes_refused gauge",
  "palestra_episodes_removed_total counter",
  "palestra_live_episodes gauge",
  "palestra_leases gauge",
  "palestra_steps_in_flight gauge",
  "palestra_seat_waits gauge",
  "palestra_hosts_ready gauge",
  "nodejs_eventloop_lag_seconds gauge",
  "process_resident_memory_bytes gauge",
])("the metrics have the family %s, with a help text", (family) => {
  expect(families).toContain(family);
  expect(payload).toMatch(new RegExp(`^# HELP ${family.split(" ")[0]} \\S`, "m"));
});

test("the metrics count steps and their time by environment", () => {
  expect(payload).toContain(`palestra_step_duration_seconds_count{environment="textcraft@1"} 2`);
  expect(payload).toMatch(/^palestra_step_duration_seconds_sum\{environment="textcraft@1"\} [0-9]+\.[0-9]+$/m);
  expect(payload).toContain(`palestra_episodes_created_total{environment="textcraft@1"} 1`);
});

test("the metrics count failures by class and code", () => {
  expect(payload).toContain(
    `palestra_episode_failures_total{environment="faulty@1",class="environment",code="ENVIRONMENT_THREW"} 1`,
  );
  expect(payload).toContain(`palestra_errors_total{class="environment",code="ENVIRONMENT_THREW"} 1`);
  expect(payload).toContain(`palestra_errors_total{class="action",code="EPISODE_UNKNOWN"} 1`);
});

test("the metrics report the current values", () => {
  expect(payload).toMatch(/^palestra_live_episodes 1$/m);
  expect(payload).toMatch(/^palestra_leases 2$/m);
  expect(payload).toMatch(/^palestra_steps_in_flight 0$/m);
  expect(payload).toMatch(/^palestra_hosts_ready 1$/m);
});

test("the metrics have no label for an episode, task, seed or token", () => {
  const labels = new Set([...samples.join("\n").matchAll(/[{,]([a-z_]+)="/g)].map(([, name]) => name));
  expect(
    [...labels].filter((name) => /episode|task|seed|token|owner|caller|action|url|id/.test(name as string)),
  ).toEqual([]);
  for (const secret of [episodeId, token, "987654321", "dirt"]) expect(payload).not.toContain(secret);
});

test("the metrics do not grow with the number of episodes", async () => {
  const ours = (text: string) => text.split("\n").filter((line) => line.startsWith("palestra_")).length;
  const episodes = Array.from({ length: 50 }, (_, index) => ({ environment: "textcraft", task: { index } }));
  await gym.call("createMany", { episodes });
  expect(ours((await gym.app.inject("/metrics")).payload)).toBe(ours(payload));
});
