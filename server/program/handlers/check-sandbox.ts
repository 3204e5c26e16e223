import { checkBrowser } from "../../../sandboxes/check-browser.js";
import { checkSandbox, type SandboxCheckResult } from "../../../sandboxes/check-sandbox.js";
import { ProcessProvider } from "../../../sandboxes/process/process-provider.js";
import type { Resource } from "../../../sandboxes/resource.js";
import type { MachineProvider, SandboxProvider } from "../../../sandboxes/sandbox.js";
import type { Config } from "../../config/config.js";
import { openBrowsers, openDocker } from "../../hosts/sandboxes.js";
import type { SandboxKind } from "../terminal/arguments.js";
import { styled } from "../terminal/command-line.js";

/** Conformance suite for one kind of sandbox. */
interface Suite {
  /**
   * Opens and closes a sandbox. @throws {SandboxError} MISSING if this machine lacks a program that the provider needs
   */
  probe(): Promise<void>;
  results(): AsyncGenerator<SandboxCheckResult>;
}

const suites = {
  docker: (config) => machineSuite(() => openDocker({ ...config, warm: 0 })),
  process: () => machineSuite(async () => new ProcessProvider()),
  browser: (config) => {
    const provide = async () => openBrowsers(config);
    return { probe: () => probe(provide, { hosts: [] }), results: () => checkBrowser(provide) };
  },
} satisfies Record<SandboxKind, (config: Config["sandboxes"]) => Suite>;

function machineSuite(provide: () => Promise<MachineProvider>): Suite {
  return { probe: () => probe(provide, {}), results: () => checkSandbox(provide) };
}

async function probe<Request>(provide: () => Promise<SandboxProvider<Request, Resource>>, request: Request) {
  const provider = await provide();
  await provider.open(request).finally(() => provider.close());
}

const styles = { passed: "green", failed: "red", refused: "yellow" } as const;
const words = { passed: "passed ", failed: "FAILED ", refused: "refused" } as const;

/**
 * Implements `palestra check --sandbox KIND`: runs the conformance suite on a provider of sandboxes, and prints each result
 * at once.
 *
 * @returns the number of failed checks
 * @throws {SandboxError} MISSING if this machine lacks a program that the provider needs
 */
export async function checkSandboxes(
  kind: SandboxKind,
  { sandboxes }: Pick<Config, "sandboxes">,
  { json }: { json: boolean },
): Promise<number> {
  const suite: Suite = suites[kind](sandboxes);
  // The probe reports a missing requirement once. Otherwise every check would report it.
  await suite.probe();
  const results: SandboxCheckResult[] = [];
  for await (const result of suite.results()) {
    results.push(result);
    if (json) continue;
    const detail = result.detail === "" ? "" : `: ${result.detail}`;
    console.log(`${styled(styles[result.outcome], words[result.outcome])} ${result.check} (${result.ms} ms)${detail}`);
  }
  const count = (wanted: string) => results.filter(({ outcome }) => outcome === wanted).length;
  const [passed, failed, refused] = [count("passed"), count("failed"), count("refused")];
  if (json) console.log(JSON.stringify({ sandbox: kind, passed, failed, refused, results }));
  else console.log(`${passed} passed, ${failed} failed, ${refused} guarantees refused`);
  return failed;
}
