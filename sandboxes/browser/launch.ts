/** Launches Chromium through Playwright, with flags that send all its network traffic through the proxy. */
import type { ChildProcess } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import type { Browser } from "playwright";
import { SandboxError } from "../sandbox.js";
import { environmentOf } from "./launcher.js";
import { withProcess } from "./messages.js";

/**
 * Flags in addition to Playwright's. The flags send all network traffic through the proxy, suppress prompts and reduce
 * the attack surface.
 */
const flags = [
  "--disable-quic",
  "--dns-prefetch-disable",
  "--no-pings",
  // The proxy resolves names. Look-ups by Chromium itself fail.
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--deny-permission-prompts",
  "--disable-notifications",
  "--disable-domain-reliability",
  "--disable-3d-apis",
  // Scrolling is instant, so that observations do not depend on the timing of an animation.
  "--disable-smooth-scrolling",
  // A changed tile is drawn again as a whole. Chromium otherwise draws only the changed part if the previous tile is free
  // at that moment, and the edges of shapes differ by a shade between the two ways.
  "--disable-partial-raster",
  // A frame waits until its pictures are decoded. Chromium otherwise shows large pictures one or more frames later.
  "--disable-checker-imaging",
];
/** Flags of Playwright to leave out, since they are unsafe for untrusted pages. */
const flagsLeftOut = ["--disable-popup-blocking", "--enable-unsafe-swiftshader"];

export const sandboxAdvice =
  "Let ordinary users make user namespaces (sysctl kernel.unprivileged_userns_clone=1, " +
  "kernel.apparmor_restrict_unprivileged_userns=0), or install chromium-sandbox, or accept browsers without it by " +
  "the setting `sandboxes.browserSandbox: off`";

export interface LaunchOptions {
  /** Folder of the browser, with its start script. */
  folder: string;
  /** Folder for Playwright's own files. */
  artifacts: string;
  /** Port of the proxy for requests that belong to no context. This proxy refuses all requests. */
  proxyPort: number;
  isSandboxRequired: boolean;
  /** Timeout of the launch, in milliseconds. */
  startMs: number;
}

/** Launches Chromium. @throws {Error} of Playwright or of the process */
export async function launch(options: LaunchOptions): Promise<{ browser: Browser; child: ChildProcess }> {
  const program = `${options.folder}/start`;
  const [browser, child] = await withProcess(program, () => launchProgram(program, options));
  if (child) return { browser, child };
  await browser.close();
  throw new Error("Playwright started no process of Chromium.");
}

async function launchProgram(program: string, options: LaunchOptions): Promise<Browser> {
  const { chromium } = await import("playwright");
  return chromium.launch({
    executablePath: program,
    artifactsDir: options.artifacts,
    chromiumSandbox: options.isSandboxRequired,
    env: environmentOf(options.folder),
    args: flags,
    ignoreDefaultArgs: flagsLeftOut,
    proxy: { server: `http://127.0.0.1:${options.proxyPort}` },
    timeout: options.startMs,
    // The gym ends the browser when it shuts down.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

/** Converts Playwright's launch error, whose log contains the program's output. */
export function startError(program: string, cause: Error): SandboxError {
  const [first = "", ...rest] = stripVTControlCharacters(cause.message).split("\n");
  const said = rest.flatMap((line) => /\[err\] (.*)$/.exec(line)?.[1] ?? []);
  const telling = said.find((line) => /FATAL|while loading|not found|denied/.test(line)) ?? said.at(-1) ?? first;
  const received = telling.trim().slice(0, 500);
  const isUnconfined = /no usable sandbox|running as root without|sandboxing failed/i.test(cause.message);
  return isUnconfined
    ? new SandboxError("REFUSED", "Chromium with its own sandbox", received, sandboxAdvice, { cause })
    : new SandboxError("START", `${program} to start Chromium`, received, undefined, { cause });
}
