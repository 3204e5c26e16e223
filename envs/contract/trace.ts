/** Finds the author's own files and lines in the stack of an error that an environment threw. */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The part of a stack that belongs to the code of an environment. */
export interface Trace {
  /**
   * File, line and column of the innermost frame, such as `maze.js:11:24`. The file has no folder, so that a remote
   * caller may read it; a file of the gym has its path in the repository. Undefined if no frame is the environment's.
   */
  place?: string;
  /** Frames from the innermost outwards, one a line, with full paths. Only for people on this machine. "" if there are none. */
  frames: string;
}

/** Folder of the gym, from which its own files are named. */
const root = resolve(fileURLToPath(import.meta.url), "..", "..", "..").replace(/(\/dist(\/\.modules)?)?$/, "/");
/** Code of the gym that calls environments, by its path below the folder of the gym. */
const callers = /^((server|trainer|dist)\/|envs\/((shared\/(wrappers|processes)|check-env|contract|custom)\/|[^/]+$))/;
/** A hostile environment can give its error a stack of any length. */
const longestStack = 20_000;
const mostFrames = 10;

/** Returns the frames of the environment in a thrown value. They end where the gym called the environment. */
export function traceOf(thrown: unknown): Trace {
  try {
    return traceIn(thrown instanceof Error ? String(thrown.stack).slice(0, longestStack) : "");
  } catch {
    // A hostile environment can let a getter throw.
    return { frames: "" };
  }
}

function traceIn(stack: string): Trace {
  const frames: { line: string; file: string; at: string }[] = [];
  for (const [, line = ""] of stack.matchAll(/^ +at (.{1,500})$/gm)) {
    const [, file, at] = /^(?:.*? \()?(?:async )?((?:file:\/\/)?\/.+?):(\d+(?::\d+)?)\)?$/.exec(line) ?? [];
    // Frames of Node and of built-in functions name no file.
    if (file === undefined || at === undefined) continue;
    const path = file.startsWith("file:") ? fileURLToPath(file) : file;
    if (callers.test(belowRoot(path) ?? "")) break;
    frames.push({ line: line.replace(file, path), file: path, at });
  }
  // An error of a package is best mended where the environment called the package.
  const first = frames.find(({ file }) => !file.includes("/node_modules/")) ?? frames[0];
  const lines = frames.slice(0, mostFrames).map(({ line }) => `    at ${line}`);
  if (first === undefined) return { frames: "" };
  return { place: `${belowRoot(first.file) ?? first.file.replace(/^.*\//, "")}:${first.at}`, frames: lines.join("\n") };
}

/** Returns the path in the repository, or undefined for a file outside of it. */
function belowRoot(path: string): string | undefined {
  return path.startsWith(root) ? path.slice(root.length).replace(/^dist\/\.modules\//, "") : undefined;
}
