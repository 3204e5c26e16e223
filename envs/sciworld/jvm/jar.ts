/** Location of the ScienceWorld simulator on this machine, and the command to run the simulator. */
import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Address, JvmRequest } from "../../../sandboxes/sandbox.js";
import { Gateway } from "./gateway.js";

export const howToGetJar = "Run `palestra setup sciworld-jvm`, or set SCIENCEWORLD_JAR to a jar of your own";

/**
 * Matches versions with the same rules as the native engine. The order of lists is the same in version 1.3, and
 * different in version 1.2.
 */
const knownVersions = /^1\.[23]\./;
export const simulatorClass = "scienceworld.runtime.pythonapi.PythonInterface";
const heapMb = 400;

/** Returns the folder in which `palestra setup` installs the jar. */
export function jarFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "palestra", "scienceworld");
}

/** Returns the path of the jar. It is absolute, since the working directory of the JVM is not that of the gym. */
export function jarPath(): string {
  return resolve(process.env.SCIENCEWORLD_JAR || join(jarFolder(), "scienceworld.jar"));
}

/**
 * Returns the path of ScienceWorld's file of type numbers, next to the jar. The simulator reads a copy in its working
 * directory.
 */
export function typeNumbersPath(jar: string): string {
  return join(dirname(jar), typeNumbersName);
}

export const typeNumbersName = "object_type_ids.tsv";

export function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Returns the request for a JVM that runs py4j's gateway, with the command that ScienceWorld's Python API uses. */
export function simulatorRequest(jar: string): JvmRequest {
  return {
    classPath: [jar],
    mainClass: "py4j.GatewayServer",
    args: ["0"],
    // ScienceWorld 1.2 iterates over sets in the order of identity hashes, which are random in each process. With
    // constant hashes, sets keep the order of insertion, and episodes are deterministic.
    vmOptions: ["-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2", ...openRandom],
    heapMb,
    ready: /^([0-9]+)$/,
    isReusable: true,
    check: (address) => checkSimulator(address),
    advice: howToGetJar,
  };
}

/**
 * JVM options that make the state of the random generator accessible, to save and restore it. Java 8 has no such option
 * and does not need it.
 */
const openRandom = ["-XX:+IgnoreUnrecognizedVMOptions", "--add-opens=java.base/java.util=ALL-UNNAMED"];

async function checkSimulator(address: Address): Promise<void> {
  const gateway = await Gateway.open(address);
  try {
    await versionOf(gateway);
  } finally {
    gateway.close();
  }
}

/** Returns the version of the jar, such as 1.2.3. @throws {Error} the version is not supported */
export async function versionOf(gateway: Gateway, signal?: AbortSignal): Promise<string> {
  const calls = [["forName", simulatorClass], ["getPackage"], ["getImplementationVersion"]] as const;
  const version = await gateway.chain({ className: "java.lang.Class" }, calls, signal);
  if (typeof version === "string" && knownVersions.test(version)) return version;
  throw new Error(`expected a jar of ScienceWorld 1.2 or 1.3, but received version ${version}`);
}
