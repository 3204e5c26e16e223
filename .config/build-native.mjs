/**
 * Builds the engine of native/ with CMake into native/build/, if the machine has the tools and the build is out of date.
 *
 * Commands that need the engine pass `--needed`, which prints nothing if the build is up to date.
 *
 * `npm run build:native -- --sanitize address,undefined` builds the C++ tests with these sanitizers, in a folder of their own,
 * and runs them.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { answers, compilers, howToGet, missingTools } from "./build-tools.mjs";
import { findNvcc } from "./nvcc.mjs";
import { isProgram, main, root, run, SetupError, say, step } from "./step.mjs";

// node:timers/promises is missing in an old Node.
const delay = promisify(setTimeout);

const folder = join(root, "native/build");
const addon = join(folder, "palestra.node");
const stampFile = join(folder, ".stamp");
/** The C++ tests: of the CPU, and of CUDA with an emulated driver. */
const programs = ["native-tests", "cuda-tests"];
const kernels = join(folder, "kernels");
/** File with the fingerprint of the kernels' sources. */
const kernelStamp = join(kernels, "sources");

/**
 * Builds the addon if it is out of date.
 *
 * @param anyCompiler whether a build of the same sources with another compiler or other flags counts as up to date
 * @returns `built`, `missing` after printing the missing tools, or `failed` after printing the compiler's output
 */
export async function buildNative({ anyCompiler = false } = {}) {
  const sources = fingerprint([join(root, "native"), join(root, "package-lock.json")]);
  const stamp = sources + toldToCmake();
  const done = existsSync(addon) ? readStamp(stampFile) : undefined;
  if (done === stamp || (anyCompiler && done?.startsWith(sources))) return "built";
  const absent = missing();
  if (absent.length > 0) {
    say(`The engine of native/ is not built: no ${absent.join(", no ")}. To get it: ${howToGetTools()}`);
    return "missing";
  }
  const failure = await step("Building the engine, minutes the first time", (progress) =>
    compile(folder, ["addon", "palestra"], [], progress),
  );
  if (failure) {
    say(`error: The engine does not compile:\n${failure}`);
    return "failed";
  }
  const { reason } = findNvcc() ? await step("Building its kernels for CUDA", buildKernels) : await buildKernels();
  if (reason) say(`The engine runs without CUDA: ${reason}`);
  writeFileSync(stampFile, stamp);
  return "built";
}

/**
 * Builds the CUDA kernels if they are out of date. The engine also works without them.
 * @returns `{ folder }`, or `{ reason }` if there are no kernels
 */
export async function buildKernels() {
  const sources = fingerprint(["core", "ops/cuda/kernels"].map((name) => join(root, "native", name)));
  const reason = await compileKernels();
  if (reason === undefined) {
    writeFileSync(kernelStamp, sources);
    return { folder: kernels };
  }
  if (readStamp(kernelStamp) === sources) return { folder: kernels };
  // The old kernels do not match the engine's sources.
  rmSync(kernels, { recursive: true, force: true });
  return { reason };
}

/** @returns undefined, or the reason for a failure */
async function compileKernels() {
  const absent = missing();
  if (absent.length > 0) return `expected ${absent.join(", ")} to build its kernels, but found none`;
  if (!findNvcc()) return "expected nvcc to build its kernels, but found none";
  const failure = await compile(folder, ["cuda-kernels"]);
  return failure && `its kernels do not compile:\n${failure}`;
}

/**
 * Builds C++ tests if they are out of date.
 *
 * @param targets of CMake, of which the first is the program
 * @returns `{ program }`, or `{ reason }` if the tools are missing @throws {SetupError} if they do not compile
 */
export async function buildNativeTests(targets) {
  const absent = missing();
  if (absent.length > 0) return { reason: `expected ${absent.join(", ")} to build the engine's tests, but found none` };
  const failure = await compile(folder, targets);
  if (failure && /unknown target|No rule to make target/.test(failure)) {
    return { reason: "expected GoogleTest, but CMake found none" };
  }
  if (failure) throw new SetupError(`The engine's tests do not compile:\n${failure}`);
  return { program: join(folder, targets[0]) };
}

/** @returns undefined, or the output of a failed build */
async function compile(into, targets, options = [], progress = () => {}) {
  try {
    mkdirSync(into, { recursive: true });
    return await alone(join(into, ".building"), progress, () => compileIn(into, targets, options, progress));
  } catch (error) {
    return `expected to write to ${into}, but received: ${error.message}`;
  }
}

async function compileIn(into, targets, options, progress) {
  forgetOthers(into);
  const headers = createRequire(import.meta.url)("node-api-headers").include_dir;
  const generator = existsSync(join(into, "CMakeCache.txt")) || !answers("ninja") ? [] : ["-G", "Ninja"];
  const told = [`-DNODE_API_HEADERS=${headers}`, `-DNVCC=${findNvcc() || ""}`];
  const configure = ["-S", "native", "-B", into, ...told, ...generator, ...options];
  const configured = await run("cmake", configure);
  if (configured.code !== 0) return configured.output;
  const jobs = String(availableParallelism());
  const build = ["--build", into, "--parallel", jobs, "--target", ...targets];
  const { code, output } = await run("cmake", build, { onOutput: (text) => tellProgress(text, progress) });
  return code === 0 ? undefined : output;
}

/** Parses progress. Ninja prints counts, `[12/57]`; make prints a percentage, `[ 45%]`. */
function tellProgress(text, progress) {
  const counts = text.match(/^\[\s*\d+(\/\d+|%)\]/gm);
  if (counts) progress(counts[counts.length - 1].slice(1, -1).trim().replace("/", " of "));
}

/** Runs one build at a time, since two compilers would corrupt each other's objects. A second build then has little to do. */
async function alone(lock, progress, work) {
  while (!take(lock)) {
    progress(`waiting for process ${holderOf(lock)}, which builds it`);
    await delay(200);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  // A killed build has left the lock behind.
  if (!isAlive(holderOf(lock))) rmSync(lock, { force: true });
  return false;
}

function holderOf(lock) {
  try {
    return Number(readFileSync(lock, "utf8"));
  } catch {
    return process.pid; // given back just now
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Removes a CMake cache of another compiler or folder, since CMake keeps the first ones that it was given. */
function forgetOthers(into) {
  const told = join(into, ".told");
  const now = toldToCmake();
  if (readStamp(told) === now) return;
  for (const name of ["CMakeCache.txt", "CMakeFiles"]) rmSync(join(into, name), { recursive: true, force: true });
  writeFileSync(told, now);
}

function toldToCmake() {
  const { CXX, CXXFLAGS, LDFLAGS } = process.env;
  return JSON.stringify({ root, CXX, CXXFLAGS, LDFLAGS, nvcc: findNvcc() });
}

async function testUnder(sanitizers) {
  const absent = missing();
  if (absent.length > 0) throw new SetupError(`expected ${absent.join(", ")}. To get it: ${howToGetTools()}`);
  const into = join(root, `native/build-${sanitizers.replaceAll(",", "-")}`);
  const failure = await step(`Building the engine's tests with -fsanitize=${sanitizers}`, () =>
    compile(into, programs, [`-DSANITIZE=${sanitizers}`]),
  );
  if (failure) throw new SetupError(`The engine's tests do not compile:\n${failure}`);
  for (const program of programs) {
    const { code, output } = await step(`Running ${program}`, () => run(join(into, program), ["--gtest_brief=1"]));
    say(output);
    if (code !== 0) throw new SetupError("The engine's tests failed.");
  }
}

/** Returns a hash of the names and contents of the build's inputs: all files of the folders except TypeScript and builds. */
function fingerprint(places) {
  const hash = createHash("sha256");
  for (const place of places.flatMap(filesOf)) {
    const content = readFileSync(place);
    hash.update(`${relative(root, place)} ${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}

function filesOf(place) {
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place, { withFileTypes: true }).flatMap((entry) => {
    const path = join(place, entry.name);
    if (entry.isDirectory()) return entry.name.startsWith("build") ? [] : filesOf(path);
    return /\.(cc|cu|h|cmake)$|^CMakeLists\.txt$/.test(entry.name) ? [path] : [];
  });
}

function readStamp(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function missing() {
  return missingTools({ cmake: ["cmake"], "C++ compiler": compilers, "ninja or make": ["ninja", "make"] });
}

function howToGetTools() {
  if (process.platform === "darwin") return "xcode-select --install && brew install cmake ninja";
  return howToGet({
    "apt-get": "apt-get install cmake ninja-build g++",
    dnf: "dnf install cmake ninja-build gcc-c++",
    apk: "apk add cmake ninja-build g++",
    pacman: "pacman -S cmake ninja gcc",
  });
}

if (isProgram(import.meta.url)) {
  main(async () => {
    const at = process.argv.indexOf("--sanitize");
    if (at >= 0) return testUnder(process.argv[at + 1] ?? "address,undefined");
    // With --needed, an engine that is up to date prints nothing.
    const isNeeded = process.argv.includes("--needed");
    const result = await buildNative({ anyCompiler: isNeeded });
    if (result !== "built") process.exitCode = 1;
    else if (!isNeeded) say("native/build/palestra.node is up to date.");
  });
}
