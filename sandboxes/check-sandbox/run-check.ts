/** One check of a conformance suite, and its result. */
import { until } from "../until.js";
import { GuaranteeRefused } from "./expect.js";

export interface SandboxCheckResult {
  /** The promise, as a sentence. */
  check: string;
  /** `refused`: the provider cannot hold this guarantee, and says so when it is asked for. */
  outcome: "passed" | "failed" | "refused";
  /** Expectation and what came instead, where the check did not pass. */
  detail: string;
  ms: number;
}

/** Milliseconds that a check may take. */
const mostCheckingMs = 120_000;

/** Runs a check to its end. Never rejects: a fault of the provider is a result. */
export async function runCheck(check: string, run: () => Promise<void>): Promise<SandboxCheckResult> {
  const startedAt = performance.now();
  const late = () => new Error(`expected an end within ${mostCheckingMs} ms`);
  try {
    await until(run(), { signals: [], ms: mostCheckingMs, late });
    return { check, outcome: "passed", detail: "", ms: Math.round(performance.now() - startedAt) };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const outcome = error instanceof GuaranteeRefused ? "refused" : "failed";
    return { check, outcome, detail, ms: Math.round(performance.now() - startedAt) };
  }
}
