/**
 * Builds SQLite for Node 20 into native/build-sqlite/, from the sources in the package better-sqlite3. Later versions of Node use
 * the binaries in that package. See native/sqlite/.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { answers, compilers, howToGet } from "./build-tools.mjs";
import { isProgram, lastLines, main, root, run, SetupError, say, step } from "./step.mjs";

const require = createRequire(import.meta.url);
const folder = join(root, "native/build-sqlite");
const target = join(folder, `${process.platform}-${process.arch}.node`);
const stampFile = `${target}.sources`;
const header = join(root, "native/sqlite/node-api-9.hpp");

/** Whether this Node needs the build. Node-API 10 is the version of better-sqlite3's own binaries. */
export function needsBuild() {
  return Number(process.versions.napi) < 10;
}

/** Builds the binary if it is out of date. @returns whether it was out of date @throws {SetupError} it cannot be built */
export async function buildSqlite() {
  const sources = dirname(dirname(require.resolve("better-sqlite3")));
  const { version } = JSON.parse(readFileSync(join(sources, "package.json"), "utf8"));
  const recipe = [header, join(root, ".config/build-sqlite.mjs")].map((file) => readFileSync(file));
  const stamp = createHash("sha256").update(version).update(Buffer.concat(recipe)).digest("hex");
  if (existsSync(target) && existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return false;
  await step("Building SQLite for Node 20", () => compile(sources));
  writeFileSync(stampFile, stamp);
  return true;
}

async function compile(sources) {
  const compiler = compilers.find((command) => command && answers(command));
  if (!compiler)
    throw new SetupError(`expected a C++ compiler to build SQLite for Node 20, but found none. ${remedy()}`);
  mkdirSync(folder, { recursive: true });
  const sqlite = join(sources, "deps/sqlite3");
  const defines = definesOf(join(sources, "deps/defines.gypi"));
  const common = ["-O2", "-fPIC", "-w", "-DNDEBUG", ...defines];
  const headers = [require("node-api-headers").include_dir, require("node-addon-api").include_dir, sqlite];
  const binding = [
    ...["-std=c++20", "-fvisibility=hidden", "-DNAPI_VERSION=9", "-DNAPI_DISABLE_CPP_EXCEPTIONS"],
    ...["-DNODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS", ...headers.map((path) => `-I${path}`), "-include", header],
  ];
  // Objects have the id of this process in their names, since two builds may run at once.
  const objects = ["sqlite3", "binding"].map((name) => join(folder, `${name}-${process.pid}.o`));
  // In parallel: SQLite is one large file that takes most of the time.
  await Promise.all([
    built(compiler, [...common, "-x", "c", "-std=c99", "-c", join(sqlite, "sqlite3.c"), "-o", objects[0]]),
    built(compiler, [...common, ...binding, "-c", join(sources, "src/better_sqlite3.cpp"), "-o", objects[1]]),
  ]);
  const output = `${target}.${process.pid}`;
  await built(compiler, [...linking(), ...objects, "-o", output]);
  for (const object of objects) rmSync(object);
  renameSync(output, target);
}

function linking() {
  if (process.platform === "darwin") return ["-bundle", "-undefined", "dynamic_lookup"];
  return ["-shared", "-s", "-static-libstdc++", "-static-libgcc", "-Wl,-Bsymbolic", "-Wl,--exclude-libs,ALL"];
}

/** Reads better-sqlite3's options of SQLite. */
function definesOf(file) {
  const defines = readFileSync(file, "utf8").match(/'(SQLITE|HAVE)_[^']*'/g);
  if (!defines) throw new SetupError(`expected the options of SQLite in ${file}, but found none`);
  return defines.map((define) => `-D${define.slice(1, -1)}`);
}

async function built(compiler, args) {
  const { code, output } = await run(compiler, args);
  if (code !== 0) throw new SetupError(`SQLite does not compile:\n${lastLines(output, 30)}\n\n${remedy()}`);
}

function remedy() {
  const install =
    process.platform === "darwin"
      ? "xcode-select --install"
      : howToGet({
          "apt-get": "apt-get install g++",
          dnf: "dnf install gcc-c++",
          apk: "apk add g++",
          pacman: "pacman -S gcc",
        });
  return `Use Node 22.12 or newer, which needs no compiler, or install one: ${install}`;
}

if (isProgram(import.meta.url)) {
  main(async () => {
    // With --needed, a Node that needs no build prints nothing, nor does a build that is up to date.
    const isNeeded = process.argv.includes("--needed");
    if (isNeeded && !needsBuild()) return;
    if (!(await buildSqlite()) && !isNeeded) say("native/build-sqlite/ is up to date.");
  });
}
