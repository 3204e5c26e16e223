/** Where the original simulator lies on this machine, and what is needed to run it. */
import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Address, JvmRequest } from "../../../sandboxes/sandbox.js";
import { Gateway } from "./gateway.js";

export const howToGetJar = "Run `palestra setup sciworld-jvm`, or set SCIENCEWORLD_JAR to a jar of your own";

/** Whose agents play by the same rules as the native engine's: 1.2 answers in another order, 1.3 in the same. */
const knownVersions = /^1\.[23]\./;
export const simulatorClass = "scienceworld.runtime.pythonapi.PythonInterface";
const heapMb = 400;

/** What `palestra setup` fills. */
export function jarFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "palestra", "scienceworld");
}

/** In full: a JVM works in another folder than the gym. */
export function jarPath(): string {
  return resolve(process.env.SCIENCEWORLD_JAR || join(jarFolder(), "scienceworld.jar"));
}

/** The original's numbers of its types, which it ships beside its jar and reads from the folder it works in. */
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

/** py4j's gateway, as the original's Python API starts it. */
export function simulatorRequest(jar: string): JvmRequest {
  return {
    classPath: [jar],
    mainClass: "py4j.GatewayServer",
    args: ["0"],
    // 1.2 goes through sets of things in the order of their identity hashes, which are drawn anew in each process. Where
    // all are equal that is the order in which things were put in, and an episode goes the same way every time.
    vmOptions: ["-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2", ...openRandom],
    heapMb,
    ready: /^([0-9]+)$/,
    isReusable: true,
    check: (address) => checkSimulator(address),
    advice: howToGetJar,
  };
}

/** So that the state of the generator can be kept and put back. Java 8 knows no such option, and needs none. */
const openRandom = ["-XX:+IgnoreUnrecognizedVMOptions", "--add-opens=java.base/java.util=ALL-UNNAMED"];

async function checkSimulator(address: Address): Promise<void> {
  const gateway = await Gateway.open(address);
  try {
    await versionOf(gateway);
  } finally {
    gateway.close();
  }
}

/** As the jar tells it, such as 1.2.3. @throws {Error} it is none of the versions that are known */
export async function versionOf(gateway: Gateway, signal?: AbortSignal): Promise<string> {
  const calls = [["forName", simulatorClass], ["getPackage"], ["getImplementationVersion"]] as const;
  const version = await gateway.chain({ className: "java.lang.Class" }, calls, signal);
  if (typeof version === "string" && knownVersions.test(version)) return version;
  throw new Error(`expected a jar of ScienceWorld 1.2 or 1.3, but received one of version ${version}`);
}
