import { checkSandbox, type SandboxCheckResult } from "../../sandboxes/check-sandbox.js";
import type { MachineProvider } from "../../sandboxes/machines.js";
import { ProcessProvider } from "../../sandboxes/process/process-provider.js";
import type { Config } from "../config.js";
import { openDocker } from "../sandboxes.js";
import type { SandboxKind } from "./sandbox-kinds.js";

const providers = {
  docker: (config) => openDocker({ ...config, warm: 0 }),
  process: async () => new ProcessProvider(),
} satisfies Record<SandboxKind, (config: Config["sandboxes"]) => Promise<MachineProvider>>;

const words = { passed: "passed ", failed: "FAILED ", refused: "refused" } as const;

/**
 * `palestra check --sandbox KIND`: runs the conformance suite on a provider of sandboxes of this machine. Results are
 * printed as they come.
 *
 * @returns how many checks failed
 * @throws {SandboxError} MISSING where the provider lacks something
 */
export async function checkSandboxes(
  kind: SandboxKind,
  { sandboxes }: Pick<Config, "sandboxes">,
  { json }: { json: boolean },
): Promise<number> {
  const provide = () => providers[kind](sandboxes);
  const provider = await provide();
  // Says what is missing once, rather than with every check.
  await (await provider.open({}).finally(() => provider.close())).close();
  const results: SandboxCheckResult[] = [];
  for await (const result of checkSandbox(provide)) {
    results.push(result);
    if (json) continue;
    const detail = result.detail === "" ? "" : `: ${result.detail}`;
    console.log(`${words[result.outcome]} ${result.check} (${result.ms} ms)${detail}`);
  }
  const count = (wanted: string) => results.filter(({ outcome }) => outcome === wanted).length;
  const [passed, failed, refused] = [count("passed"), count("failed"), count("refused")];
  if (json) console.log(JSON.stringify({ sandbox: kind, passed, failed, refused, results }));
  else console.log(`${passed} passed, ${failed} failed, ${refused} guarantees refused`);
  return failed;
}
