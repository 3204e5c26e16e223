/** The checks that run no code: lint and format over everything, types over tests and tools (the build checks the rest). */
import { isProgram, runPackage, say, step } from "./step.mjs";

const checks = {
  "lint and format": [
    "@biomejs/biome/bin/biome",
    ["check", "--config-path=.config/biome.json", "--max-diagnostics=200", "."],
  ],
  "types of the tests and tools": [
    "typescript/bin/tsc",
    ["-p", "test/tsconfig.json", "--incremental", "--tsBuildInfoFile", "dist/.tests.tsbuildinfo"],
  ],
};

/** @returns the names of the checks that failed. What those complain of is printed, with `warnings` that of the others too. */
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
