/** Runs one check of a conformance suite. */
import { until } from "../until.js";
import { GuaranteeRefused } from "./expect.js";

export interface SandboxCheckResult {
  /** Name of the check: a sentence of the contract. */
  check: string;
  /** `refused` means that the provider refuses this guarantee, as the contract allows. */
  outcome: "passed" | "failed" | "refused";
  /** Error message of a failed check, or "" if the check passed. */
  detail: string;
  /** Duration of the check, in milliseconds. */
  ms: number;
}

/** Timeout of a check, in milliseconds. */
const mostCheckingMs = 120_000;

/** Runs a check to its end. Never rejects: a fault of the provider is returned as a failed result. */
export async function runCheck(check: string, run: () => Promise<void>): Promise<SandboxCheckResult> {
  const startedAt = performance.now();
  const late = () => new Error(`The check did not end within ${mostCheckingMs} ms.`);
  try {
    await until(run(), { signals: [], ms: mostCheckingMs, late });
    return { check, outcome: "passed", detail: "", ms: Math.round(performance.now() - startedAt) };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const outcome = error instanceof GuaranteeRefused ? "refused" : "failed";
    return { check, outcome, detail, ms: Math.round(performance.now() - startedAt) };
  }
}
