import { execFileSync } from "node:child_process";
import { cpus, totalmem } from "node:os";

/** One result. `ratio` is value over baseline, both measured in the same run. */
export interface BenchResult {
  name: string;
  value: number;
  unit: string;
  baseline?: number;
  ratio?: number;
  /** Target for the ratio, or for the value if there is no baseline: `>= 0.6`, `< 64`. */
  target?: string;
  /** Whether the target is for the value although there is a baseline. */
  isTargetOfValue?: boolean;
  met?: boolean;
}

export interface BenchReport {
  bench: string;
  commit: string;
  machine: string;
  results: BenchResult[];
}

export function report(bench: string, results: BenchResult[]): BenchReport {
  const [cpu] = cpus();
  const machine = `${cpus().length} x ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  return { bench, commit: commit(), machine, results: results.map(judged) };
}

function commit(): string {
  try {
    return execFileSync("git", ["describe", "--always", "--dirty"], { encoding: "utf8" }).trim();
  } catch {
    return "unknown";
  }
}

const comparisons = {
  ">=": (measured: number, bound: number) => measured >= bound,
  "<=": (measured: number, bound: number) => measured <= bound,
  "<": (measured: number, bound: number) => measured < bound,
};

function judged({ isTargetOfValue = false, ...result }: BenchResult): BenchResult {
  const ratio = result.baseline === undefined ? undefined : result.value / result.baseline;
  const judgedResult = ratio === undefined ? { ...result } : { ...result, ratio };
  if (result.target === undefined) return judgedResult;
  const [comparison, bound] = result.target.split(" ");
  const measured = isTargetOfValue ? result.value : (ratio ?? result.value);
  return { ...judgedResult, met: comparisons[comparison as keyof typeof comparisons](measured, Number(bound)) };
}

export function table({ bench, commit, machine, results }: BenchReport): string {
  const rows = results.map(({ name, value, unit, baseline, ratio, target, met }) => [
    name,
    `${shortNumber(value)} ${unit}`,
    baseline === undefined ? "" : shortNumber(baseline),
    ratio === undefined ? "" : ratio.toFixed(2),
    target ?? "",
    met === undefined ? "" : met ? "met" : "NOT MET",
  ]);
  const all = [["figure", "value", "baseline", "ratio", "target", ""], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return [`${bench} @ ${commit}, ${machine}`, ...lines].join("\n");
}

function shortNumber(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toPrecision(3);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
