/** The steps of an episode as a windowed list. The page selects one of them. */
import { useCallback, useMemo, useRef } from "preact/hooks";
import type { Step } from "../../api.js";
import { shortNumber } from "../../numbers.js";
import { WindowedList } from "../../parts/lists/windowed-list.js";
import { readableLine } from "../../parts/visible-text.js";
import type { Outcomes } from "./proof.js";
import type { Hit } from "./search.js";
import { type StepTimes, tookText } from "./step-times.js";

interface Props {
  steps: readonly Step[];
  /** Returns the seat that took a step, counted from 1. Undefined if the environment has one player. */
  seatOf: (at: number) => string | undefined;
  /** Number of steps before the selected place: 0 is the reset. */
  at: number;
  hits: readonly Hit[];
  /** Milliseconds of each step. Undefined if they are unknown. */
  took: StepTimes["took"] | undefined;
  /** Outcomes of a replay, or null if none was started. */
  outcomes: Outcomes | null;
  onSelect: (at: number) => void;
}

export function StepList({ steps, seatOf, at, hits, took, outcomes, onSelect }: Props) {
  const found = useMemo(() => new Set(hits.map((hit) => hit.at)), [hits]);
  const latest = useRef(onSelect);
  latest.current = onSelect;
  const select = useCallback((step: number) => latest.current(step), []);
  const row = useCallback(
    (index: number) => (
      <StepRow
        index={index}
        step={steps[index - 1]}
        seat={index === 0 ? undefined : seatOf(index)}
        isSelected={index === at}
        isFound={found.has(index)}
        proof={outcomes && (outcomes[index] ?? "unknown")}
        took={took && (took[index - 1] ?? null)}
        onSelect={select}
      />
    ),
    [steps, seatOf, at, found, took, outcomes, select],
  );
  return (
    <WindowedList count={steps.length + 1} rowHeight={30} label="Steps" selected={at}>
      {row}
    </WindowedList>
  );
}

interface RowProps {
  /** 0 is the reset, which has no step. */
  index: number;
  step: Step | undefined;
  seat: string | undefined;
  isSelected: boolean;
  isFound: boolean;
  /** Whether the replay gave an equal step, or null if none was started. */
  proof: boolean | "unknown" | null;
  /** Milliseconds of the step, null if they are unknown, or undefined if those of all steps are. */
  took: number | null | undefined;
  onSelect: (at: number) => void;
}

function StepRow(props: RowProps) {
  const { index, step, seat, isSelected, isFound, proof, took, onSelect } = props;
  // The same element is not rendered again when another step is selected, or more steps are loaded.
  return useMemo(
    () => (
      <button
        type="button"
        class={isFound ? "step found" : "step"}
        aria-current={isSelected ? "step" : undefined}
        onClick={() => onSelect(index)}
      >
        <span class="number">{index}</span>
        <bdi class="action" dir="ltr">
          {seat !== undefined && <span class="seat">{seat} </span>}
          {index === 0 ? <em>reset</em> : readableLine(step?.action ?? "") || "(empty)"}
        </bdi>
        {step !== undefined && step.reward !== 0 && <RewardMark reward={step.reward} />}
        {proof !== null && <Proved equal={proof} />}
        {took !== undefined && <span class="took">{took === null ? "" : tookText(took)}</span>}
      </button>
    ),
    Object.values(props),
  );
}

function RewardMark({ reward }: { reward: number }) {
  return <span class={reward > 0 ? "reward good" : "reward bad"}>{shortNumber(reward)}</span>;
}

function Proved({ equal }: { equal: boolean | "unknown" }) {
  if (equal === "unknown") return <span class="proved">·</span>;
  return equal ? (
    <span class="proved good" role="img" aria-label="equal">
      ✓
    </span>
  ) : (
    <span class="proved bad" role="img" aria-label="different">
      ✗
    </span>
  );
}
