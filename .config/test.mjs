/**
 * `npm test`, `npm run test:quick`, `test:long` and `test:postgres`: set up, and run the tests beside the static checks. The
 * files of each run are in test-files.mjs. Arguments go to vitest: `npm test -- test/envs -t "a title"`. With `--touched`, the
 * long run takes the files whose subject has changed. With `--touched=25`, it starts none of them after 25 minutes.
 *
 * The last line on stdout is always `N passed, N failed`. A set-up or check that fails counts as one failed test.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { runChecks } from "./check.mjs";
import { setUp } from "./setup.mjs";
import { main, root, say } from "./step.mjs";
import { runWithin, touchedLongFiles } from "./touched.mjs";

const args = process.argv.slice(2);
const kinds = ["quick", "long", "postgres"];
const kind = kinds.find((each) => args[0] === `--${each}`) ?? "all";
if (kind !== "all") args.shift();
// Read by vitest.config.mjs. A name that begins with PALESTRA_ would be a setting of the gyms that the tests start.
process.env.TEST_RUN = kind;

const isTouched = kind === "long" && /^--touched(=[0-9]+)?$/.test(args[0]);
const minutes = isTouched ? Number(args.shift().split("=")[1] ?? Number.POSITIVE_INFINITY) : 0;
const touched = isTouched ? touchedLongFiles() : [];
if (isTouched && touched.length === 0) process.exit(0);

const totals = { passed: 0, failed: 0, skipped: 0 };

async function runTests(files = []) {
  const { parseCLI, startVitest } = await import("vitest/node");
  const { SummaryReporter } = await import("./summary-reporter.mjs");
  const summary = new SummaryReporter();
  const { filter, options } = parseCLI(["vitest", "run", ...args, ...files]);
  const vitest = await startVitest("test", filter, {
    config: ".config/vitest.config.mjs",
    ...options,
    watch: false,
    reporters: ["default", summary],
  });
  await vitest.close();
  return summary;
}

async function testAll() {
  const needsEngine = kind === "all" || kind === "long";
  if ((await setUp({ engine: needsEngine })) === "failed") totals.failed += 1;
  const [failedChecks, { passed, failed, skipped, files, failures }] = await Promise.all([
    kind === "long" ? [] : runChecks({ warnings: false }),
    isTouched ? runWithin(minutes, touched, runTests) : runTests(),
  ]);
  totals.passed += passed;
  totals.failed += failed + failedChecks.length;
  totals.skipped += skipped;
  // The errors are far above, since a run is long.
  if (failures.length > 0) say(`\n${failures.join("\n")}`);
  if (failedChecks.length > 0) say(`\nerror: failed checks, whose output is above: ${failedChecks.join(", ")}`);
  if (kind === "quick") sayWhatIsLeftOut(files);
}

function sayWhatIsLeftOut(files) {
  const all = readdirSync(join(root, "test"), { recursive: true }).filter((name) => name.endsWith(".test.ts"));
  say(`\nRan ${files} of ${all.length} test files. Left out: the files that take longest. Run all tests with \`npm test\`, or
one folder with \`npm test -- test/sandboxes\`.`);
}

await main(testAll);
if (process.exitCode && totals.failed === 0) totals.failed = 1;
if (totals.passed + totals.failed === 0) say("error: expected at least one test to run, but none did");

const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : "";
const code = totals.failed > 0 || totals.passed === 0 ? 1 : 0;
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed${skipped}\n`, () => process.exit(code));
