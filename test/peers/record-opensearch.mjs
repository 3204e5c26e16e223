/**
 * Records test/fixtures/opensearch: what an OpenSearch node answers to the requests of the tests
 * that use test/support/opensearch.ts.
 *
 *   node test/peers/record-opensearch.mjs http://127.0.0.1:9200
 *
 * The node should be a fresh one (test/peers/opensearch-node/start.sh starts one): indexes named after the fixtures are
 * deleted there. `npm run build` comes first. Recorded with OpenSearch 3.8.0.
 */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [url] = process.argv.slice(2);
if (!url) throw new Error("expected the URL of an OpenSearch node, but received none");
const { version } = await (await fetch(url)).json();
console.log(`OpenSearch ${version.number}`);
rmSync(fileURLToPath(new URL("../fixtures/opensearch", import.meta.url)), { recursive: true, force: true });
const tests = ["test/envs/shared/retrieval/opensearch", "test/server/program/commands/index-command.test.ts"];
const { status } = spawnSync(
  "npx",
  // One file at a time: a list of indexes holds those of all.
  ["vitest", "run", "--config", ".config/vitest.config.mjs", "--no-file-parallelism", ...tests],
  {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    stdio: "inherit",
    env: { ...process.env, PALESTRA_TEST_OPENSEARCH: url, PALESTRA_RECORD_OPENSEARCH: "1" },
  },
);
process.exitCode = status ?? 1;
