/** Loads that are measured together, in rounds. */
import type { Load } from "./load.js";

export interface Scenario {
  name: string;
  run(seconds: number): Promise<Load>;
}

/** Runs every scenario once per round, so that compared figures are measured together. The first round is a warm-up. */
export async function measure(
  scenarios: readonly Scenario[],
  rounds: number,
  seconds: number,
): Promise<Map<string, Load[]>> {
  const loads = new Map<string, Load[]>(scenarios.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const { name, run } of scenarios) {
      process.stderr.write(`round ${round} of ${rounds}: ${name}      \r`);
      const load = await run(round === 0 ? Math.min(1, seconds) : seconds);
      if (round > 0) loads.get(name)?.push(load);
    }
  }
  process.stderr.write("\n");
  return loads;
}
