/** Builds dist/: compiles the sources with tsc, and copies the files that they read at run time. */
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { entry, writeEntry } from "./library.mjs";
import { isProgram, main, root, runPackage, SetupError, say, step } from "./step.mjs";

const sourceFolders = ["server", "envs", "sandboxes", "trainer", "native", "openapi"];
const assets = [/^envs\/[^/]+\/python\/[^/]+\.py$/, /^sandboxes\/agent\/[^/]+\.[ch]$/, /^envs\/[^/]+\/data\//];
/** The studio, which Vite bundles: the page that the gym serves, and the page of reports. */
const studio = {
  folder: "server/ui/",
  output: "dist/server/ui/",
  pages: ["dist/server/ui/index.html", "dist/server/ui/report.html"],
  configs: [".config/vite.ui.mjs", ".config/vite.report.mjs"],
};
const programsOfBuild = [".config/build.mjs", ".config/library.mjs"];
const alsoDecisive = ["tsconfig.json", "package.json", "package-lock.json", ...programsOfBuild, ...studio.configs];
const programs = ["dist/server/cli.js"];

const stampFile = "dist/.build-stamp";
const buildInfoFile = "dist/.tsbuildinfo";
/** Suffix of the stamp of a build without a type check. */
const unchecked = " unchecked";
const keptFiles = [stampFile, buildInfoFile, "dist/.tests.tsbuildinfo"];

/**
 * Brings dist/ up to date.
 *
 * @param checkTypes false skips the type check of a first build, which then takes a third of the time. The next build with the
 *   check, or with a changed source, catches up.
 * @returns whether dist/ was out of date
 */
export async function build({ checkTypes = true } = {}) {
  const files = sourceFolders.flatMap(filesUnder);
  const ofStudio = files.filter((file) => file.startsWith(studio.folder));
  const sources = files.filter((file) => !file.startsWith(studio.folder));
  const modules = sources.filter(isModule);
  const copied = sources.filter((file) => !isModule(file) && assets.some((asset) => asset.test(file)));
  const hasStudio = ofStudio.length > 0;
  const outputs = [...modules.flatMap(outputsOf), ...copied.map((file) => `dist/${file}`)];
  outputs.push(entry);
  if (hasStudio) outputs.push(...studio.pages);
  const stamp = fingerprint([...modules, ...copied, ...ofStudio, ...alsoDecisive.filter(exists)]);
  const done = readStamp();
  const isBuilt = done === stamp || (done === stamp + unchecked && !checkTypes);
  if (isBuilt && outputs.every(exists)) return false;

  const skipsTypes = !checkTypes && (done === undefined || done === stamp + unchecked);
  await step("Building dist/", async () => {
    removeAllBut(outputs);
    await compile(outputs, skipsTypes ? ["--noCheck"] : []);
    if (hasStudio) await bundleStudio(skipsTypes);
    for (const file of copied) copy(file);
    writeEntry(root);
    for (const program of programs.filter(exists)) chmodSync(join(root, program), 0o755);
    writeFileSync(join(root, stampFile), skipsTypes ? stamp + unchecked : stamp);
  });
  return true;
}

function filesUnder(folder) {
  if (!exists(folder)) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesUnder(path) : [path];
  });
}

function isModule(file) {
  return /\.tsx?$/.test(file) && !file.endsWith(".d.ts");
}

function outputsOf(file) {
  const output = `dist/${file.replace(/\.tsx?$/, ".js")}`;
  return [output, `${output}.map`];
}

/** Returns a hash of the names, sizes and times of the inputs. It changes if a file is added, changed, renamed or removed. */
function fingerprint(files) {
  const hash = createHash("sha256");
  for (const file of files) {
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex");
}

function readStamp() {
  return exists(stampFile) ? readFileSync(join(root, stampFile), "utf8") : undefined;
}

/** Removes outputs of deleted sources, which could otherwise still be imported. */
function removeAllBut(outputs) {
  const kept = new Set([...outputs, ...keptFiles]);
  for (const file of filesUnder("dist")) {
    // Vite empties the studio's folder itself.
    if (!kept.has(file) && !file.startsWith(studio.output)) rmSync(join(root, file));
  }
}

async function compile(outputs, options) {
  // tsc trusts its build info and would not write a removed output again.
  if (!outputs.every(exists)) rmSync(join(root, buildInfoFile), { force: true });
  const { code, output } = await runPackage("typescript/bin/tsc", ["-p", "tsconfig.json", ...options]);
  if (code !== 0) throw new SetupError(`The sources do not compile. tsc reports:\n${output}`);
}

async function bundleStudio(skipsTypes) {
  const check = skipsTypes ? { code: 0 } : await runPackage("typescript/bin/tsc", ["-p", studio.folder]);
  if (check.code !== 0) throw new SetupError(`The studio does not compile. tsc reports:\n${check.output}`);
  for (const config of studio.configs) {
    const { code, output } = await runPackage("vite/bin/vite.js", ["build", "--config", config]);
    if (code !== 0) throw new SetupError(`The studio cannot be bundled. Vite reports:\n${output}`);
  }
}

function copy(file) {
  const source = join(root, file);
  const target = join(root, "dist", file);
  const { size, atime, mtime } = statSync(source);
  const old = statSync(target, { throwIfNoEntry: false });
  if (old && old.size === size && old.mtimeMs === mtime.getTime()) return;
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(source, target);
  utimesSync(target, atime, mtime);
}

function exists(file) {
  return existsSync(join(root, file));
}

if (isProgram(import.meta.url)) {
  main(async () => {
    if (!(await build())) say("dist/ is up to date.");
  });
}
