/** Measures loads on several sides in alternating rounds, with the CPU time of all parts. */
import { cpuBetween, type PartsCpu } from "./fleet-gyms.js";
import type { Load } from "./load.js";
import { median } from "./report.js";

export interface Rounds {
  rounds: number;
  seconds: number;
}

export interface Measured {
  load: Load;
  cpu: PartsCpu;
}

/** One kind of load, which each side plays. */
export interface Contest<Side extends string> {
  name: string;
  play: Record<Side, (seconds: number) => Promise<Load>>;
  measured: Record<Side, Measured[]>;
}

/** Code that is not compiled yet costs several times as much CPU. */
const warmUpSeconds = 3;

/**
 * Plays every contest once per round on each side, after a warm-up. The side that is first changes with each round.
 *
 * @param cpu returns the CPU seconds of the parts of a side
 */
export async function measureContests<Side extends string>(
  contests: readonly Contest<Side>[],
  sides: readonly Side[],
  cpu: (side: Side) => PartsCpu,
  { rounds, seconds }: Rounds,
): Promise<void> {
  for (let round = 0; round <= rounds; round++) {
    for (const { name, play, measured } of contests) {
      for (const side of round % 2 === 0 ? sides : [...sides].reverse()) {
        process.stderr.write(`round ${round} of ${rounds}: ${name}, ${side}      \r`);
        const before = cpu(side);
        const load = await play[side](round === 0 ? warmUpSeconds : seconds);
        if (round > 0) measured[side].push({ load, cpu: cpuBetween(before, cpu(side)) });
      }
    }
  }
  process.stderr.write("\n");
}

export function medianOf(measured: readonly Measured[], figure: keyof Load): number {
  return median(measured.map(({ load }) => load[figure]));
}

/** Returns the CPU time of a part per unit of work, in microseconds. */
export function cpuPerUnit(measured: readonly Measured[], part: keyof PartsCpu): number {
  return median(measured.map(({ load, cpu }) => (cpu[part] * 1e6) / load.count));
}
