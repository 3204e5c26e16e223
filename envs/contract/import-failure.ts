/** Finds the file and line at which the import of a module failed, which the error of Node.js often leaves out. */
import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { traceOf } from "./trace.js";

/** Time limit in milliseconds on the second import of a module. */
const importMs = 10_000;

/**
 * Describes the failure of an import in one line, with the path of the file and the line number where they are known.
 *
 * @param url URL of the module, or text that is no URL
 */
export async function describeImportFailure(url: string, error: unknown): Promise<string> {
  if (!(error instanceof Error)) return `the thrown ${String(error)}`;
  const path = url.startsWith("file:") ? fileURLToPath(url) : undefined;
  const file = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  if (path !== undefined && file === undefined) return `no file at ${path}`;
  if (file?.isDirectory()) return `a folder. Name the module in it, such as ${path}/index.js`;
  const text = `${error.name}: ${error.message}`.replace(/\s*\n\s*/g, " ");
  const place = placeInStack(error) ?? placeOfImport(error.message) ?? (await placeOfSyntax(url, error));
  return place === undefined ? text : `${text} (${place})`;
}

/** Returns the place of the code that threw, or of code that Node.js refused and has put before the stack. */
function placeInStack(error: Error): string | undefined {
  const [, thrownAt] = /^ +at (?:.*? \()?(?:async )?(\/.+?)\)?$/m.exec(traceOf(error).frames) ?? [];
  return thrownAt ?? shownPlace(error.stack ?? "");
}

/** Returns the place before a quoted line of code, as Node.js prints it. */
function shownPlace(text: string): string | undefined {
  const [, file, line] = /^((?:file:\/\/)?\/.+):(\d+)$/m.exec(text) ?? [];
  if (file === undefined) return undefined;
  return `${file.startsWith("file:") ? fileURLToPath(file) : file}:${line}`;
}

/** Returns the place of the import whose module or package does not exist. */
function placeOfImport(message: string): string | undefined {
  const [, kind, missing = "", importer] =
    /^Cannot find (module|package) '(.+?)' imported from (\/.+)$/m.exec(message) ?? [];
  if (importer === undefined) return undefined;
  const isMissing = (specifier: string) =>
    kind === "module"
      ? resolve(dirname(importer), specifier) === missing
      : specifier === missing || specifier.startsWith(`${missing}/`);
  const lines = readFileSync(importer, "utf8").split("\n");
  const at = lines.findIndex((line) => [...line.matchAll(/["'`](.+?)["'`]/g)].some(([, text = ""]) => isMissing(text)));
  return at === -1 ? importer : `${importer}:${at + 1}`;
}

/**
 * Returns the place of a syntax error. An error of `import()` does not name it, so another process imports the module
 * again and prints the place. Modules with a syntax error run no code.
 */
async function placeOfSyntax(url: string, error: Error): Promise<string | undefined> {
  if (!(error instanceof SyntaxError) || !url.startsWith("file:")) return undefined;
  const code = `import ${JSON.stringify(url)};`;
  const args = ["--input-type=module", "--eval", code];
  const failed = await promisify(execFile)(process.execPath, args, { timeout: importMs }).catch((refused) => refused);
  return shownPlace(String(failed.stderr));
}
