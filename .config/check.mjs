/** Static checks: lint and format of all files, types of the sources, the studio, the tests and the tools. */
import { isProgram, runPackage, say, step } from "./step.mjs";

const checks = {
  "lint and format": [
    "@biomejs/biome/bin/biome",
    ["check", "--config-path=.config/biome.json", "--max-diagnostics=200", "."],
  ],
  "types of the sources, tests and tools": ["typescript/bin/tsc", ["-p", "test"]],
  "types of the studio": ["typescript/bin/tsc", ["-p", "server/ui"]],
};

/** Runs the checks and prints the output of failed ones, or all output with `warnings`. @returns names of the failed checks */
export async function runChecks({ warnings }) {
  const results = await step("Checking lint, format and types", () =>
    Promise.all(
      Object.entries(checks).map(async ([name, [script, args]]) => ({ name, ...(await runPackage(script, args)) })),
    ),
  );
  for (const { name, code, output } of results) {
    if (code !== 0) say(`\nerror: ${name}\n${output}`);
    else if (warnings && output !== "") say(output);
  }
  return results.filter(({ code }) => code !== 0).map(({ name }) => name);
}

if (isProgram(import.meta.url)) {
  const failed = await runChecks({ warnings: true });
  process.exitCode = failed.length === 0 ? 0 : 1;
}
