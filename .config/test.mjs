/**
 * `npm test`: sets up, checks, runs the tests. Arguments go to vitest: `npm test -- test/envs -t "a title"`.
 * However it ends, the last line on stdout is `N passed, N failed`; a set-up or check that fails counts as one failed.
 */
import { runChecks } from "./check.mjs";
import { setUp } from "./setup.mjs";
import { main, say } from "./step.mjs";

const totals = { passed: 0, failed: 0, skipped: 0 };

async function runTests(args) {
  const { parseCLI, startVitest } = await import("vitest/node");
  const { SummaryReporter } = await import("./summary-reporter.mjs");
  const summary = new SummaryReporter();
  const { filter, options } = parseCLI(["vitest", "run", ...args]);
  const vitest = await startVitest("test", filter, {
    config: ".config/vitest.config.mjs",
    ...options,
    watch: false,
    reporters: ["default", summary],
  });
  await vitest.close();
  return summary;
}

async function testAll(args) {
  if ((await setUp({ engine: true })) === "failed") totals.failed += 1;
  totals.failed += (await runChecks({ warnings: false })).length;
  const { passed, failed, skipped } = await runTests(args);
  totals.passed += passed;
  totals.failed += failed;
  totals.skipped += skipped;
}

await main(() => testAll(process.argv.slice(2)));
if (process.exitCode && totals.failed === 0) totals.failed = 1;
if (totals.passed + totals.failed === 0) say("error: expected at least one test to run, but none did");

const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : "";
const code = totals.failed > 0 || totals.passed === 0 ? 1 : 0;
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed${skipped}\n`, () => process.exit(code));
