/** The state of a replay: its progress, its verdict, and both texts of the first difference. */

import { counted } from "../../numbers.js";
import { Failure } from "../../parts/loaded.js";
import { Text } from "../../parts/text.js";
import type { Proof } from "./proof.js";

interface Props {
  proof: Proof;
  steps: number;
  onSelect: (at: number) => void;
}

export function ProofView({ proof, steps, onSelect }: Props) {
  const { outcomes, isRunning, difference, error } = proof;
  if (outcomes.value === null) return null;
  const known = Math.max(0, outcomes.value.length - 1);
  return (
    <section class="proof" aria-label="Replay">
      <progress
        aria-label="Replayed steps"
        max={Math.max(1, steps)}
        value={steps === 0 ? outcomes.value.length : known}
      />
      <span role="status">{verdictOf(proof, known, steps)}</span>
      {isRunning.value && (
        <button type="button" onClick={() => proof.stop()}>
          Stop
        </button>
      )}
      {error.value !== null && <Failure error={error.value} />}
      {difference.value && <DifferenceView {...difference.value} onSelect={onSelect} />}
    </section>
  );
}

function verdictOf({ isRunning, proved, recorded, error }: Proof, known: number, steps: number): string {
  const outside =
    recorded.value === 0 ? "" : ` ${recorded.value} of them used answers of outside services that are in the log.`;
  if (isRunning.value) return `Replayed ${known} of ${steps} steps.`;
  if (proved.value === true)
    return `Proved: the reset and ${counted(steps, "step")} gave the bytes in the log.${outside}`;
  if (proved.value === false) return `Different after ${known} of ${steps} steps.`;
  return error.value === null
    ? `Stopped after ${known} of ${steps} steps.`
    : `Failed after ${known} of ${steps} steps.`;
}

interface DifferenceProps {
  at: number;
  logged: string;
  replayed: string;
  onSelect: (at: number) => void;
}

function DifferenceView({ at, logged, replayed, onSelect }: DifferenceProps) {
  const place = firstDifference(logged, replayed);
  return (
    <div class="difference">
      <p>
        <button type="button" onClick={() => onSelect(at)}>
          Step {at}
        </button>{" "}
        differs from character {place} on.
      </p>
      <div class="sides">
        <section aria-label="In the log">
          <h3>In the log</h3>
          <Text text={excerpt(logged, place)} isRaw />
        </section>
        <section aria-label="Replayed">
          <h3>Replayed</h3>
          <Text text={excerpt(replayed, place)} isRaw />
        </section>
      </div>
    </div>
  );
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

/** Returns the text from shortly before a place on. */
function excerpt(text: string, place: number): string {
  const from = Math.max(0, place - 200);
  return from === 0 ? text : `…${text.slice(from)}`;
}
