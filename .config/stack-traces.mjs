/**
 * Names the source in stack traces of a bundled program, as `server/episodes/gym.ts:190`. Each program imports this module
 * first. A map is read when the first stack that needs it is read, so that a program that does not fail reads none.
 */
import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Source maps by the URL of a bundled file; null if the file has none. */
const maps = new Map();

function mapOf(url) {
  let map = maps.get(url);
  if (map === undefined) {
    map = readMap(fileURLToPath(url));
    maps.set(url, map);
  }
  return map;
}

function readMap(file) {
  try {
    return existsSync(`${file}.map`) ? new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8"))) : null;
  } catch {
    return null; // A trace of the bundled file is better than an error about the map.
  }
}

/** Returns a frame of a stack as text, with the place in the source if it is known. */
function textOf(frame) {
  const text = String(frame);
  const url = frame.getFileName();
  if (!url?.startsWith("file:")) return text;
  const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()];
  const { originalSource, originalLine } = mapOf(url)?.findEntry(line - 1, column - 1) ?? {};
  if (originalSource === undefined) return text;
  const source = join(dirname(fileURLToPath(url)), originalSource);
  return text.replace(`${url}:${line}:${column}`, `${source}:${originalLine + 1}`);
}

/** Returns the name and message of an error. Their getters may throw, in code that is not ours. */
function headOf(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return "Error";
  }
}

Error.prepareStackTrace = (error, frames) =>
  [headOf(error), ...frames.map((frame) => `    at ${textOf(frame)}`)].join("\n");
