import { recordDurations } from "./test-files.mjs";

/**
 * Counts the files and tests of a run, and lists the skipped tests by their stated reason. Prints the error of a failed test at
 * once, since a run is long, and keeps it for the end of the run.
 */
export class SummaryReporter {
  files = 0;
  passed = 0;
  failed = 0;
  skipped = 0;
  /** Name and first error of each failed test, suite and file. */
  failures = [];

  onTestCaseResult(test) {
    this.note(`${test.module.relativeModuleId} > ${test.fullName}`, test.result().errors ?? []);
  }

  onTestSuiteResult(suite) {
    this.note(`${suite.module.relativeModuleId} > ${suite.fullName}`, suite.errors());
  }

  onTestModuleEnd(module) {
    this.note(module.relativeModuleId, module.errors());
  }

  note(name, errors) {
    const texts = errors.map(({ message }) => `failed: ${name}\n  ${message.replaceAll("\n", "\n  ")}`);
    for (const text of texts) console.log(text);
    this.failures.push(...texts.slice(0, 1));
  }

  onTestRunEnd(modules, unhandledErrors) {
    const reasons = new Map();
    this.files = modules.length;
    for (const module of modules) {
      this.failed += errorsOutsideTests(module);
      for (const test of module.children.allTests()) this.count(test, reasons);
    }
    this.failed += unhandledErrors.length;
    this.note("outside of the tests", unhandledErrors);
    for (const [reason, names] of reasons) console.log(`skipped ${names.length}: ${reason}\n${listed(names)}`);
    if (process.env.RECORD_TEST_DURATIONS) recordDurations(modules.map(durationOf));
  }

  count(test, reasons) {
    const { state, note } = test.result();
    if (state === "passed") this.passed += 1;
    else if (state === "failed") this.failed += 1;
    else {
      this.skipped += 1;
      const reason = note ?? "no reason stated";
      reasons.set(reason, [...(reasons.get(reason) ?? []), `${test.module.relativeModuleId} > ${test.fullName}`]);
    }
  }
}

/** Returns the project, the path and the seconds of a file. Loading the modules that files share is not counted. */
function durationOf(module) {
  const { duration } = module.diagnostic();
  return { project: module.project.name, path: module.relativeModuleId, seconds: duration / 1_000 };
}

/** Returns the number of files and suites that failed outside of a test: a file that does not load, or a hook that throws. */
function errorsOutsideTests(module) {
  const suites = [module, ...module.children.allSuites()];
  return suites.filter((suite) => suite.errors().length > 0).length;
}

function listed(names) {
  const shown = names.slice(0, 5).map((name) => `  ${name}`);
  if (names.length > shown.length) shown.push(`  and ${names.length - shown.length} more`);
  return shown.join("\n");
}
