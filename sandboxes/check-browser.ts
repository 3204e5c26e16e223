/**
 * The conformance suite of browser providers. The suite checks the contract of `browser.ts`, with pages of sites that it
 * serves on this machine.
 */
import type { BrowserRequest, BrowserSession } from "./browser.js";
import { boundChecks } from "./check-browser/bounds.js";
import { egressChecks } from "./check-browser/egress.js";
import { lifeChecks } from "./check-browser/life.js";
import { type BrowserChecks, type BrowserSubject, firstPage, type Site, serveSite } from "./check-browser/subject.js";
import { expectCode, expectThat } from "./check-sandbox/expect.js";
import { runCheck, type SandboxCheckResult } from "./check-sandbox/run-check.js";
import type { SandboxProvider } from "./sandbox.js";

type Provider = SandboxProvider<BrowserRequest, BrowserSession>;

const providerChecks: Readonly<Record<string, (provider: Provider) => Promise<void>>> = {
  async "closing a provider ends its sessions and refuses new ones"(provider) {
    const session = await provider.open({ hosts: [] });
    const late = provider.open({ hosts: [] }).catch((error: unknown) => error);
    await Promise.all([provider.close(), provider.close()]);
    await session.ended;
    await expectCode("REFUSED", () => provider.open({ hosts: [] }));
    await expectCode("LOST", () => session.storageState());
    const received = (await late) as { code?: string };
    expectThat(received.code === "REFUSED", "REFUSED from an `open` that is interrupted by `close`", received);
  },
};

/**
 * Runs the checks and yields each result as soon as it is known. A fault of the provider is yielded as a failed result.
 * It is not thrown.
 *
 * @param only regular expression; only checks whose name matches it run
 */
export async function* checkBrowser(
  provide: () => Promise<Provider>,
  only: RegExp = /./,
): AsyncGenerator<SandboxCheckResult> {
  const provider = await provide();
  try {
    const all: BrowserChecks = { ...egressChecks, ...boundChecks, ...lifeChecks };
    for (const [check, run] of Object.entries(all))
      if (only.test(check)) yield await runCheck(check, () => withSubject(provider, run));
  } finally {
    await provider.close();
  }
  for (const [check, run] of Object.entries(providerChecks)) {
    if (!only.test(check)) continue;
    const own = await provide();
    yield await runCheck(check, () => run(own));
    await own.close();
  }
}

async function withSubject(provider: Provider, run: BrowserChecks[string]): Promise<void> {
  const sessions: BrowserSession[] = [];
  const sites: Site[] = [];
  const subject: BrowserSubject = {
    async open(request = {}, signal) {
      const session = await provider.open({ hosts: [], ...request }, signal);
      sessions.push(session);
      return { session, page: firstPage(session) };
    },
    async serve(answers) {
      const site = await serveSite(answers);
      sites.push(site);
      return site;
    },
  };
  try {
    await run(subject);
  } finally {
    await Promise.all(sessions.map((session) => session.close()));
    for (const site of sites) site.close();
  }
}
