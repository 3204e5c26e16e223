import { SingleBar } from "cli-progress";
import { type CheckResult, checkEnvironment } from "../../envs/check-env.js";
import type { AnyEnvironmentSpec } from "../../envs/env.js";
import { type Registry, versionedId } from "../../envs/registry.js";
import type { Sandboxes } from "../../sandboxes/sandbox.js";

export interface CheckReport {
  passed: number;
  failed: number;
  skipped: number;
  results: CheckResult[];
}

/** `palestra check`: the conformance suite on some environments, or on all. */
export async function check(
  registry: Registry,
  sandboxes: Sandboxes,
  names: string[],
  options: { json: boolean },
): Promise<CheckReport> {
  const specs = names.length > 0 ? names.map((name) => registry.get(name)) : registry.list();
  const results: CheckResult[] = [];
  for (const spec of specs) results.push(...(await checkOne(spec, sandboxes)));
  const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length;
  const report = { passed: count("passed"), failed: count("failed"), skipped: count("skipped"), results };
  console.log(options.json ? JSON.stringify(report, null, 2) : reportText(report));
  return report;
}

async function checkOne(spec: AnyEnvironmentSpec, sandboxes: Sandboxes): Promise<CheckResult[]> {
  const bar = new SingleBar({
    format: `${versionedId(spec)} {bar} {value}/{total} checks`,
    stream: process.stderr,
    noTTYOutput: false,
    clearOnComplete: true,
  });
  try {
    return await checkEnvironment(spec, {
      sandboxes,
      onProgress: (done, total) => {
        if (!bar.isActive) bar.start(total, done);
        bar.update(done);
      },
    });
  } finally {
    bar.stop();
  }
}

function reportText({ passed, failed, skipped, results }: CheckReport): string {
  const lines = results.map(({ environment, check, outcome, detail, durationMs }) => {
    const mark = { passed: "✓", failed: "✗", skipped: "-" }[outcome];
    return `${mark} ${environment}  ${check}${detail === "" ? "" : `: ${detail}`}  (${Math.round(durationMs)} ms)`;
  });
  return [...lines, `${passed} passed, ${failed} failed, ${skipped} skipped`].join("\n");
}
