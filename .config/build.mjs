/**
 * Builds dist/: the bundled programs with the files that they read at run time, the studio, and with `modules` also
 * dist/.modules/, which tests and tools import. Each part is built again if one of its inputs has changed. The build checks no
 * types; check.mjs does.
 */
import { execFile } from "node:child_process";
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
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { isProgram, main, root, runPackage, SetupError, say, step } from "./step.mjs";

const sourceFolders = ["server", "envs", "sandboxes", "trainer", "native", "openapi"];
const assets = [
  /^envs\/(shared\/)?[^/]+\/python\/[^/]+\.py$/,
  /^sandboxes\/agent\/[^/]+\.[ch]$/,
  /^envs\/(shared\/)?[^/]+\/data\//,
  /^trainer\/[^/]+\/data\//,
];
const studio = "server/ui/";
const program = "dist/server/program/cli.js";
/** Inputs of every part. */
const ofAllParts = ["package.json", "package-lock.json", "tsconfig.json", ".config/build.mjs"];

/**
 * Brings dist/ up to date.
 *
 * @param modules whether to write dist/.modules/, too
 * @returns whether a part of dist/ was out of date
 */
export async function build({ modules = false } = {}) {
  const files = sourceFolders.flatMap((folder) => filesUnder(folder));
  const sources = files.filter((file) => isModule(file) && !file.startsWith(studio));
  const copied = files.filter((file) => !isModule(file) && assets.some((asset) => asset.test(file)));
  const bundling = [".config/bundle.mjs", ".config/stack-traces.mjs"];
  const parts = [
    { name: "programs", inputs: [...sources, ...copied, ...bundling], make: () => bundlePrograms(sources, copied) },
    {
      name: "studio",
      inputs: [...files.filter((file) => file.startsWith(studio)), ...studioConfigs],
      make: bundleStudio,
    },
    { name: "modules", inputs: [...sources, ...copied, ...bundling], make: () => makeModules(sources, copied) },
  ];
  const stale = parts.filter(({ name }) => modules || name !== "modules").filter((part) => !isUpToDate(part));
  if (stale.length === 0) return false;
  await step("Building dist/", () => Promise.all(stale.map(rebuild)));
  return true;
}

/** @returns paths of the written files */
async function bundlePrograms(sources, copied) {
  const { bundle } = await import("./bundle.mjs");
  const written = await attempt("The sources cannot be bundled", () => bundle(sources));
  if (written.includes(program)) chmodSync(join(root, program), 0o755);
  for (const file of copied) copy(file, `dist/${file}`);
  const outputs = [...written, ...copied.map((file) => `dist/${file}`)];
  if (written.includes(program)) outputs.push(await writeWords());
  removeAllBut(outputs);
  return outputs;
}

/** Keeps the words of shell completion, which would otherwise be made for every new shell. @returns the path of the file */
async function writeWords() {
  // Without the settings and imports of this machine's user.
  const bare = Object.entries(process.env).filter(([name]) => !name.startsWith("PALESTRA_"));
  const env = { ...Object.fromEntries(bare), XDG_DATA_HOME: join(root, "dist/none") };
  const { stdout } = await attempt("The words of the completion cannot be listed", () =>
    promisify(execFile)(process.execPath, [program, "completion", "json"], { cwd: root, env, maxBuffer: 2 ** 24 }),
  );
  const file = "dist/completion.json";
  writeFileSync(join(root, file), stdout);
  return file;
}

/** Removes the outputs of other sources, which could otherwise still be imported or packed. */
function removeAllBut(outputs) {
  const kept = new Set(outputs);
  // The other parts are written at the same time.
  const isOfOthers = (path) => path.startsWith("dist/.") || `${path}/` === `dist/${studio}`;
  for (const file of filesUnder("dist", isOfOthers)) if (!kept.has(file)) rmSync(join(root, file));
}

async function makeModules(sources, copied) {
  const { writeModules } = await import("./bundle.mjs");
  await attempt("The sources cannot be compiled", () => writeModules(sources));
  for (const file of copied) copy(file, `dist/.modules/${file}`);
  return sources.slice(0, 1).map((source) => `dist/.modules/${source.replace(/\.tsx?$/, ".js")}`);
}

const studioConfigs = [".config/vite.ui.mjs", ".config/vite.report.mjs"];

async function bundleStudio() {
  if (!exists(studio)) return [];
  for (const config of studioConfigs) {
    const { code, output } = await runPackage("vite/bin/vite.js", ["build", "--config", config]);
    if (code !== 0) throw new SetupError(`The studio cannot be bundled. Vite reports:\n${output}`);
  }
  return filesUnder("dist/server/ui");
}

async function attempt(failure, work) {
  try {
    return await work();
  } catch (error) {
    throw new SetupError(`${failure}:\n${error.message}`);
  }
}

/** The stamp of a part has the fingerprint of its inputs and the paths of its outputs. */
function stampOf({ name }) {
  const file = join(root, `dist/.${name}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { outputs: [] };
}

function isUpToDate(part) {
  const { inputs, outputs } = stampOf(part);
  return inputs === fingerprint(part.inputs) && outputs.every(exists);
}

async function rebuild(part) {
  const inputs = fingerprint(part.inputs);
  // A build that is interrupted leaves no stamp, so that the next one starts anew.
  rmSync(join(root, `dist/.${part.name}.json`), { force: true });
  const outputs = await part.make();
  mkdirSync(join(root, "dist"), { recursive: true });
  writeFileSync(join(root, `dist/.${part.name}.json`), JSON.stringify({ inputs, outputs }));
}

/** @param isLeftOut tells of a path below the folder whether to leave it out, with all that is in it */
function filesUnder(folder, isLeftOut = () => false) {
  if (!exists(folder)) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (isLeftOut(path)) return [];
    return entry.isDirectory() ? filesUnder(path, isLeftOut) : [path];
  });
}

function isModule(file) {
  return /\.tsx?$/.test(file) && !file.endsWith(".d.ts");
}

/** Returns a hash of the names, sizes and times of the inputs. It changes if a file is added, changed, renamed or removed. */
function fingerprint(files) {
  const hash = createHash("sha256");
  for (const file of [...files, ...ofAllParts].filter(exists)) {
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex");
}

function copy(file, to) {
  const target = join(root, to);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(join(root, file), target);
}

function exists(file) {
  return existsSync(join(root, file));
}

if (isProgram(import.meta.url)) {
  main(async () => {
    if (!(await build({ modules: process.argv.includes("--modules") }))) say("dist/ is up to date.");
  });
}
