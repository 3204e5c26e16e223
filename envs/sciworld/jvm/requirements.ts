/** Requirements of the ScienceWorld simulator. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Requirement } from "../../env.js";
import { exists, howToGetJar, jarPath } from "./jar.js";
import { setUpJar } from "./setup.js";

export const linux: Requirement = {
  name: "linux",
  howToGet: "Run the gym on Linux: only there it can be seen whether a Java process is open to other machines.",
  probe: async () => ({ available: process.platform === "linux", detail: process.platform }),
};

const probeMs = 900;

export const java: Requirement = {
  name: "jvm",
  isSandbox: true,
  howToGet: "Install a Java runtime of version 8 or newer, such as Debian's default-jre-headless, or set JAVA_HOME.",
  async probe() {
    const { JAVA_HOME } = process.env;
    const path = JAVA_HOME ? join(JAVA_HOME, "bin", "java") : "java";
    try {
      const { stderr } = await promisify(execFile)(path, ["-version"], { timeout: probeMs });
      return { available: true, detail: stderr.trim().split("\n", 1)[0] as string };
    } catch (error) {
      // On a busy machine the program may take longer to start.
      if ((error as { killed?: boolean }).killed) return { available: true, detail: `${path}, slow to start` };
      return { available: false, detail: `${path} -version failed: ${(error as Error).message.trim()}` };
    }
  },
};

export const jar: Requirement = {
  name: "sciworld-jvm",
  howToGet: `${howToGetJar}.`,
  async probe() {
    const path = jarPath();
    return (await exists(path))
      ? { available: true, detail: path }
      : { available: false, detail: `no file at ${path}` };
  },
  setUp: (choices) => setUpJar(choices?.from),
};
