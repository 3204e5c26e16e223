/** The files of the long run whose subject has changed, for a check of a change, and their run within a number of minutes. */
import { execFileSync } from "node:child_process";
import { root, say } from "./step.mjs";
import { durationOf, long, longAlone } from "./test-files.mjs";

const day = 86_400;
/** Files that are started together. They share the start of vitest and of its servers. */
const filesAtOnce = 6;

/**
 * Returns the files of the long run to run for the newest changes, and prints each with its reason. Changes are counted from the
 * commit in `PALESTRA_TEST_BASE`, or from the last commit that is a day older than the newest. With `PALESTRA_TEST_LONG=1` all
 * files are returned.
 */
export function touchedLongFiles() {
  const files = Object.entries(long);
  const { PALESTRA_TEST_LONG: all, PALESTRA_TEST_BASE: given } = process.env;
  // The gyms that the tests start would take them for settings.
  for (const name of ["PALESTRA_TEST_LONG", "PALESTRA_TEST_BASE"]) delete process.env[name];
  if (all === "1") {
    say("Long tests: all, since PALESTRA_TEST_LONG is 1");
    return files.map(([file]) => file);
  }
  const base = given || dayBefore();
  if (base === "") return files.map(([file]) => file);
  const changed = git("diff", "--name-only", base).split("\n").filter(Boolean);
  const touched = files.flatMap(([file, subjects]) => {
    const reason = changed.find((path) => [file, ...subjects].some((subject) => isOf(path, subject)));
    return reason === undefined ? [] : [{ file, reason }];
  });
  say(`Long tests whose subject has changed since ${base.slice(0, 8)}: ${touched.length} of ${files.length}`);
  for (const { file, reason } of touched) say(`  ${file}, since ${reason} has changed`);
  return touched.map(({ file }) => file);
}

/**
 * Runs files of the long run, the quickest first, and starts none after a number of minutes, since a change of many subjects
 * would take hours. Prints the files that it has not started.
 *
 * @param minutes `Infinity` starts all files.
 * @param run Runs some files, and returns how many tests passed, failed and were skipped, and the failures as text.
 */
export async function runWithin(minutes, files, run) {
  const end = Date.now() + minutes * 60_000;
  const waiting = files.toSorted((a, b) => secondsOf(a) - secondsOf(b));
  const total = { passed: 0, failed: 0, skipped: 0, files: 0, failures: [] };
  while (waiting.length > 0 && Date.now() < end) {
    const counts = await run(waiting.splice(0, filesAtOnce));
    for (const name of ["passed", "failed", "skipped", "files"]) total[name] += counts[name];
    total.failures.push(...counts.failures);
  }
  if (waiting.length > 0) {
    say(`\nNot started after ${minutes} minutes: ${waiting.length} of ${files.length} long test files.`);
    for (const file of waiting) say(`  ${file}`);
  }
  return total;
}

/** Files that run one after another come last. */
function secondsOf(file) {
  return longAlone.includes(file) ? durationOf("long-alone", file) + day : durationOf("long", file);
}

/** A page belongs to a subject that names it, since a folder behaves as before when its page changes. `*` is any file. */
function isOf(path, subject) {
  if (subject === "*") return true;
  return path.endsWith(".md") ? path === subject : path.startsWith(subject);
}

/** Returns the newest commit that is a day older than the newest one, or "" if there is none. */
function dayBefore() {
  const newest = Number(git("log", "-1", "--format=%ct"));
  return git("rev-list", "-1", `--before=${newest - day}`, "HEAD");
}

function git(...args) {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
}
