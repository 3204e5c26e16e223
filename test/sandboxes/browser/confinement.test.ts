/** The rights of browser processes, and the refusal of browsers that cannot be confined. */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { findBrowser } from "#palestra/sandboxes/browser/executable.js";
import { openPage, provide, testBrowser } from "../../support/browsers.js";
import { eventually, scratchDir } from "../../support/gym.js";
import { processesWith } from "../../support/processes.js";

const own = () => processesWith(`palestra-browsers-${process.pid}-`);

function fieldOf(pid: number, name: string): string {
  return new RegExp(`^${name}:\\s*(.*)$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "";
}

/** Makes a script that starts Chromium or another command. */
async function script(line: (chromium: string) => string): Promise<string> {
  const folder = scratchDir();
  const path = join(folder, "chromium");
  writeFileSync(path, `#!/bin/sh\n${line(await findBrowser())}\n`);
  // Another user must be able to start the script.
  for (const each of [folder, path]) chmodSync(each, 0o755);
  return path;
}

testBrowser("browsers run as an ordinary user, and renderers in Chromium's own sandbox", async () => {
  const { page } = await openPage({ hosts: [] }, provide({ user: 65_533 }));
  expect(await page.evaluate("1")).toBe(1);
  const isGuardian = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("/bin/sh");
  const pids = own().filter((pid) => !isGuardian(pid));
  expect(pids.length).toBeGreaterThan(3);
  const user = process.getuid?.() === 0 ? 65_533 : process.getuid?.();
  for (const pid of pids) {
    expect(fieldOf(pid, "Uid").split("\t")).toEqual(Array(4).fill(`${user}`));
    expect(fieldOf(pid, "Groups").trim().split(" ")).not.toContain("0");
  }
  const renderers = pids.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer"));
  expect(renderers.length).toBeGreaterThan(0);
  for (const pid of renderers) {
    expect(fieldOf(pid, "Seccomp")).toBe("2");
    expect(fieldOf(pid, "NoNewPrivs")).toBe("1");
    expect(fieldOf(pid, "CapEff")).toMatch(/^0+$/);
    expect(fieldOf(pid, "NSpid").split("\t").length).toBeGreaterThan(1);
  }
});

testBrowser("a browser sees no variable of the gym's environment", async () => {
  process.env.PALESTRA_TEST_SECRET = "a secret";
  try {
    await openPage({ hosts: [] });
    const environments = own().map((pid) => readFileSync(`/proc/${pid}/environ`, "utf8"));
    expect(environments.some((environment) => environment.includes("HOME="))).toBe(true);
    expect(environments.filter((environment) => environment.includes("a secret"))).toEqual([]);
  } finally {
    delete process.env.PALESTRA_TEST_SECRET;
  }
});

testBrowser("a Chromium without its own sandbox is refused, unless the settings allow it", async () => {
  const program = await script((chromium) => `exec ${chromium} --no-sandbox "$@"`);
  await expect(provide({ program }).open({ hosts: [] })).rejects.toMatchObject({
    code: "REFUSED",
    received: "a renderer without a filter of system calls",
    advice: expect.stringContaining("`sandboxes.browserSandbox: off`"),
  });
  const { session } = await openPage({ hosts: [] }, provide({ program, sandbox: "off" }));
  await session.close();
});

testBrowser("a Chromium without a usable sandbox is refused with its own message", async () => {
  const program = await script(() => `echo "FATAL: No usable sandbox! Update your kernel" >&2; exit 1`);
  await expect(provide({ program }).open({ hosts: [] })).rejects.toMatchObject({
    code: "REFUSED",
    received: expect.stringContaining("No usable sandbox"),
  });
});

testBrowser("a failed start fails all waiting calls at once, and the next call tries again", async () => {
  const program = await script(() => `echo "error while loading shared libraries: libnss3.so" >&2; exit 127`);
  const provider = provide({ program });
  const outcomes = await Promise.allSettled([provider.open({ hosts: [] }), provider.open({ hosts: [] })]);
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ reason: { code: "START", received: expect.stringContaining("libnss3.so") } });
  }
  await expect(provider.open({ hosts: [] })).rejects.toMatchObject({ code: "START" });
  await provider.close();
  await eventually(() => own().length === 0);
});

testBrowser("the error names a program that the browsers' user cannot execute", async () => {
  const program = await script((chromium) => `exec ${chromium} "$@"`);
  chmodSync(dirname(program), 0o700);
  const opening = provide({ program }).open({ hosts: [] });
  if (process.getuid?.() !== 0) return void (await opening);
  await expect(opening).rejects.toMatchObject({ code: "START", received: expect.stringContaining("denied") });
});

testBrowser("a program that never answers fails at the deadline", async () => {
  const program = await script(() => "exec sleep 1000");
  await expect(provide({ program, startMs: 1_000 }).open({ hosts: [] })).rejects.toMatchObject({ code: "START" });
});
