/** Requirement for environments that run programs in small sandboxes. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Requirement } from "../../env.js";
import { dockerImage } from "../docker/requirement.js";

const probeMs = 700;
const baseImage = "palestra-base:1";

/** Arguments of a probe. The probe runs, in a sandbox, the programs that every task needs. */
const probeArguments = [
  ...["--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--clearenv", "--setenv", "PATH", "/usr/bin:/bin"],
  ...["/bin/sh", "-c", "command -v bash && command -v tar && command -v python3"],
];

export const machines: Requirement = {
  name: "machines",
  isSandbox: true,
  howToGet:
    "Install bubblewrap, python3 and bash (`apt-get install bubblewrap python3`), or run Docker and `palestra setup images`.",
  async probe() {
    const [bubblewrap, docker] = await Promise.all([probeBubblewrap(), dockerImage(baseImage)]);
    const available = [bubblewrap, docker].find((each) => each.available);
    return {
      available: available !== undefined,
      detail: (available ?? { detail: `${bubblewrap.detail}; ${docker.detail}` }).detail,
    };
  },
};

async function probeBubblewrap(): Promise<{ available: boolean; detail: string }> {
  try {
    await promisify(execFile)("bwrap", probeArguments, { timeout: probeMs });
    return { available: true, detail: "bubblewrap" };
  } catch (error) {
    const { stderr, message, killed } = error as Error & { stderr?: string; killed?: boolean };
    // On a busy machine the programs may take longer to start.
    if (killed) return { available: true, detail: "bubblewrap, slow to start" };
    return { available: false, detail: `bubblewrap: ${(stderr || message).trim().split("\n", 1)[0]}` };
  }
}
