/**
 * Writes the two forms of the sources that Node runs:
 *
 * - `dist/`, which is shipped: each program, and each thread and process that a program starts, with its modules in a few
 *   files. A module that is imported on demand is a file of its own. The packages of a start are bundled, too; all other
 *   packages stay outside.
 * - `dist/.modules/`, which tests, benches and tools import: a file for each source, since they reach into the sources. Its
 *   threads and processes are those of dist/.
 *
 * Both keep every program at the path of its source, and read data at the path of the source that names it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { decode, encode } from "@jridgewell/sourcemap-codec";
import { rolldown } from "rolldown";
import { transform } from "rolldown/utils";
import { root } from "./step.mjs";

const stackTraces = join(root, ".config/stack-traces.mjs");
const tsconfig = join(root, "tsconfig.json");

/** Packages that a gym or a command loads at its start, and that have many modules. What they need is bundled with them. */
const bundledPackages = [
  "@fastify/websocket",
  "commander",
  "decimal.js",
  "fastify",
  "fastify-type-provider-zod",
  "p-queue",
  "ws",
  "zod",
];
/** Packages that bundled ones load on demand, or do without. */
const outsidePackages = [
  "@fastify/ajv-compiler",
  "@fastify/fast-json-stringify-compiler",
  "@fastify/swagger",
  "bufferutil",
  "light-my-request",
  "openapi-types",
  "pino-pretty",
  "utf-8-validate",
];

/** Path of another source beside the one that names it, as in `new Worker(new URL("./thread.js", import.meta.url))`. */
const started = /new URL\(\s*"(\.[^"]+)\.js",\s*import\.meta\.url,?\s*\)/g;

/**
 * Returns the programs among the sources, without the suffix: the command line, the library, and what any source starts by its URL.
 *
 * @param sources paths of the sources, relative to the root
 */
function programsOf(sources) {
  const known = new Set(sources.map(bare));
  const named = sources.flatMap((source) =>
    [...read(source).matchAll(started)].map(([, path]) => posix.join(posix.dirname(source), path)),
  );
  return [...new Set(["server/program/cli", "server/program/library", ...named])]
    .filter((name) => known.has(name))
    .sort();
}

/**
 * Bundles the programs and the library into dist/.
 *
 * @param sources paths of the sources, relative to the root
 * @returns paths of the written files
 */
export async function bundle(sources) {
  const programs = programsOf(sources);
  const input = Object.fromEntries(programs.map((name) => [name, sourceOf(name, sources)]));
  const build = await rolldown({
    input,
    cwd: root,
    platform: "node",
    tsconfig,
    external: isOutside,
    plugins: [licensesOfPackages, placedUrls, mappedStacks(Object.values(input).map((path) => join(root, path)))],
  });
  const { output } = await build.write({
    dir: join(root, "dist"),
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    sourcemap: true,
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await build.close();
  for (const { fileName, map } of output)
    if (map) writeFileSync(join(root, "dist", `${fileName}.map`), JSON.stringify(linesOf(map)));
  return output.map(({ fileName }) => `dist/${fileName}`);
}

/** Returns a source map of whole lines, a quarter as large: it is shipped, to name the line of a source in a stack trace. */
function linesOf({ version, sources, mappings }) {
  const lines = decode(mappings).map((segments) => {
    const first = segments.find(({ length }) => length > 1);
    return first ? [[0, first[1], first[2], 0]] : [];
  });
  return { version, sources, names: [], mappings: encode(lines) };
}

/** @param importer file that imports the module `id`; undefined for a program */
function isOutside(id, importer) {
  if (/^[./\0]/.test(id)) return false;
  const name = /^(@[^/]+\/)?[^/]+/.exec(id)?.[0];
  if (id.startsWith("node:") || outsidePackages.includes(name)) return true;
  return !importer?.includes("/node_modules/") && !bundledPackages.includes(name);
}

/** Writes dist/licenses.txt: the names, versions and licenses of the bundled packages. */
const licensesOfPackages = {
  name: "licenses",
  generateBundle(_options, output) {
    const modules = Object.values(output).flatMap((file) => file.moduleIds ?? []);
    const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
    const texts = [...new Set(folders)].sort().map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
      return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), "utf8").trim() : ""}\n`;
    });
    if (texts.length > 0)
      this.emitFile({ type: "asset", fileName: "licenses.txt", source: texts.join(`\n${"-".repeat(80)}\n\n`) });
  },
};

/** Lets `import.meta.url` be the URL of the source's place in dist/, and not of the file that it was bundled into. */
const placedUrls = {
  name: "placed-urls",
  transform(code, id) {
    if (!id.startsWith(root) || id === stackTraces || !code.includes("import.meta.url")) return undefined;
    const place = bare(id.slice(root.length));
    // On the same line, so that source maps stay right.
    return { code: code.replaceAll("import.meta.url", `placedUrl("${place}.js")`), map: null };
  },
  renderChunk(code, { fileName }) {
    if (!code.includes("placedUrl(")) return undefined;
    const up = "../".repeat(fileName.split("/").length - 1) || "./";
    // A function is hoisted, so that it can stand at the end and move no line.
    const helper = `function placedUrl(path) { return new URL("${up}" + path, import.meta.url).href; }`;
    return { code: `${code}\n${helper}\n`, map: null };
  },
};

/** Lets each program map its stack traces. @param programs paths of their sources */
function mappedStacks(programs) {
  return {
    name: "mapped-stacks",
    transform(code, id) {
      if (!programs.includes(id)) return undefined;
      const [, shebang, rest] = /^(#!.*\n)?([\s\S]*)$/.exec(code);
      return { code: `${shebang ?? ""}import ${JSON.stringify(stackTraces)}; ${rest}`, map: null };
    },
  };
}

/** Writes a module for each source into dist/.modules/. @param sources paths of the sources, relative to the root */
export async function writeModules(sources) {
  const folder = join(root, "dist/.modules");
  rmSync(folder, { recursive: true, force: true });
  const programs = programsOf(sources);
  await Promise.all(
    sources.map(async (source) => {
      const path = join(folder, `${bare(source)}.js`);
      mkdirSync(dirname(path), { recursive: true });
      if (programs.includes(bare(source))) writeFileSync(path, bundledProgram(bare(source)));
      else await writeModule(source, path);
    }),
  );
  const studio = join(folder, "server/ui");
  if (existsSync(dirname(studio))) symlinkSync("../../server/ui", studio);
}

function bundledProgram(name) {
  const up = "../".repeat(name.split("/").length);
  return `export * from "${up}${name}.js";\n`;
}

async function writeModule(source, path) {
  const options = {
    tsconfig: false,
    target: "es2023",
    sourcemap: true,
    jsx: { runtime: "automatic", importSource: "hono/jsx" },
  };
  const { code, map, errors } = await transform(source, read(source), options);
  if (errors.length > 0) throw new Error(errors.map(({ message }) => `${source}: ${message}`).join("\n"));
  const name = path.slice(path.lastIndexOf("/") + 1);
  writeFileSync(path, `${code}\n//# sourceMappingURL=${name}.map\n`);
  writeFileSync(`${path}.map`, JSON.stringify({ ...map, sourcesContent: undefined, sources: [join(root, source)] }));
}

function sourceOf(name, sources) {
  return sources.find((source) => bare(source) === name);
}

function bare(file) {
  return file.replace(/\.tsx?$/, "");
}

function read(source) {
  return readFileSync(join(root, source), "utf8");
}
