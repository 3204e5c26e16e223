/** The kinds of sandboxes whose number the settings limit. The providers are not loaded here, as the gym's process has none. */
import { untilProcessesEnd } from "../../sandboxes/left-behind.js";
import type { Config } from "../config/config.js";

type SandboxConfig = Config["sandboxes"];

export const sandboxKinds = ["machines", "jvms", "browsers"] as const;
export type SandboxKind = (typeof sandboxKinds)[number];

/** Kinds of permits. Browsers that get no more sessions have permits of their own, so that others can start meanwhile. */
export type PermitKind = SandboxKind | "retiringBrowsers";

/** Returns the largest number of permits of each kind. */
export function permitLimits({ machines, jvms, browsers }: SandboxConfig): Record<PermitKind, number> {
  return { machines, jvms, browsers, retiringBrowsers: browsers };
}

/** Resolves when no sandbox of a process of this gym that has ended runs any more. Containers are removed. */
export async function untilGone(kind: PermitKind, pid: number, { provider, engines }: SandboxConfig): Promise<void> {
  await untilProcessesEnd(kind === "machines" ? "process" : kind === "jvms" ? "jvm" : "browsers", pid);
  if (kind !== "machines" || provider === "process") return;
  const { removeContainersOf } = await import("../../sandboxes/docker/left-behind.js");
  await removeContainersOf(pid, engines);
}
