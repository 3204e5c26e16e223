/**
 * `npm test`, `npm run test:quick` and `npm run test:postgres`: set up, check, and run the tests. The quick run takes the
 * project `light` of vitest.config.mjs alone and does not build the engine. The run on PostgreSQL takes the project
 * `postgres` alone, with more tests than `npm test` repeats. Arguments go to vitest: `npm test -- test/envs -t "a title"`.
 *
 * The last line on stdout is always `N passed, N failed`. A set-up or check that fails counts as one failed test.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { runChecks } from "./check.mjs";
import { setUp } from "./setup.mjs";
import { main, root, say } from "./step.mjs";

const args = process.argv.slice(2);
const isQuick = args[0] === "--quick";
const isOnPostgres = args[0] === "--postgres";
if (isQuick || isOnPostgres) args.shift();
if (isOnPostgres) process.env.TEST_ALL_ON_POSTGRES = "1";

const totals = { passed: 0, failed: 0, skipped: 0 };

async function runTests() {
  const { parseCLI, startVitest } = await import("vitest/node");
  const { SummaryReporter } = await import("./summary-reporter.mjs");
  const summary = new SummaryReporter();
  const { filter, options } = parseCLI(["vitest", "run", ...args]);
  const vitest = await startVitest("test", filter, {
    config: ".config/vitest.config.mjs",
    ...(isQuick && { project: ["light"] }),
    ...(isOnPostgres && { project: ["postgres"] }),
    ...options,
    watch: false,
    reporters: ["default", summary],
  });
  await vitest.close();
  return summary;
}

async function testAll() {
  if ((await setUp({ engine: !isQuick && !isOnPostgres })) === "failed") totals.failed += 1;
  totals.failed += (await runChecks({ warnings: false })).length;
  const { passed, failed, skipped, files } = await runTests();
  totals.passed += passed;
  totals.failed += failed;
  totals.skipped += skipped;
  if (isQuick) sayWhatIsLeftOut(files);
}

function sayWhatIsLeftOut(files) {
  const all = readdirSync(join(root, "test"), { recursive: true }).filter((name) => name.endsWith(".test.ts"));
  say(`\nRan ${files} of ${all.length} test files. Left out: tests that start a process, a browser, a container or a
training, end-to-end tests, and tests that take tens of seconds. Run all tests with \`npm test\`, or one folder with
\`npm test -- test/sandboxes\`.`);
}

await main(testAll);
if (process.exitCode && totals.failed === 0) totals.failed = 1;
if (totals.passed + totals.failed === 0) say("error: expected at least one test to run, but none did");

const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : "";
const code = totals.failed > 0 || totals.passed === 0 ? 1 : 0;
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed${skipped}\n`, () => process.exit(code));
