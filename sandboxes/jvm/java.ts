/** Finds the Java runtime of this machine. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram, lastLine } from "../programs.js";
import { SandboxError } from "../sandbox.js";

export interface Java {
  /** Path of the program `java`. */
  path: string;
  /** Major version: 8 for 1.8, 17 for 17.0.15. */
  version: number;
}

const leastVersion = 8;
const answersWithinMs = 10_000;

const advice =
  `Install a Java runtime of version ${leastVersion} or newer, such as Debian's default-jre-headless, ` +
  "or set JAVA_HOME to one";

/**
 * Returns the Java of JAVA_HOME, else the first `java` on the PATH.
 *
 * @throws {SandboxError} MISSING
 */
export async function findJava(environment: NodeJS.ProcessEnv): Promise<Java> {
  const path = await javaPath(environment);
  const missing = (received: string, cause?: unknown) =>
    new SandboxError("MISSING", `Java ${leastVersion} or newer`, received, advice, { cause });
  if (path === undefined) throw missing("none: JAVA_HOME is not set, and no folder of PATH has java");
  const { stderr } = await promisify(execFile)(path, ["-version"], { timeout: answersWithinMs, env: {} }).catch(
    (error) => {
      throw missing(`an error of ${path} -version: ${lastLine(String(error.stderr ?? "")) || error.message}`, error);
    },
  );
  const version = majorVersion(stderr);
  if (version >= leastVersion) return { path, version };
  throw missing(`${firstLine(stderr)} at ${path}`);
}

async function javaPath({ JAVA_HOME, PATH = "" }: NodeJS.ProcessEnv): Promise<string | undefined> {
  // A wrong JAVA_HOME is an error, and must not lead to another Java.
  if (JAVA_HOME) return join(JAVA_HOME, "bin", "java");
  return findProgram("java", PATH);
}

/** Returns the major version in the output of `java -version`, or 0 if the output names none. */
function majorVersion(text: string): number {
  const [, first, second] = /version "([0-9]+)(?:\.([0-9]+))?/.exec(text) ?? [];
  return Number((first === "1" ? second : first) ?? 0);
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] as string;
}
