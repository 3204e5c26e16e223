/** The steps of an episode as a windowed list. The page selects one of them. */
import type { Step } from "../../api.js";
import { readableLine } from "../../parts/visible-text.js";
import { WindowedList } from "../../parts/windowed-list.js";
import type { Outcomes } from "./proof.js";
import type { Hit } from "./search.js";

interface Props {
  steps: readonly Step[];
  /** Number of steps before the selected place: 0 is the reset. */
  at: number;
  hits: readonly Hit[];
  /** Outcomes of a replay, or null if none was started. */
  outcomes: Outcomes | null;
  onSelect: (at: number) => void;
}

export function StepList({ steps, at, hits, outcomes, onSelect }: Props) {
  const found = new Set(hits.map((hit) => hit.at));
  return (
    <WindowedList count={steps.length + 1} rowHeight={30} label="Steps" selected={at}>
      {(index) => (
        <button
          type="button"
          class={found.has(index) ? "step found" : "step"}
          aria-current={index === at ? "step" : undefined}
          onClick={() => onSelect(index)}
        >
          <span class="number">{index}</span>
          <bdi class="action" dir="ltr">
            {index === 0 ? <em>reset</em> : readableLine(steps[index - 1]?.action ?? "") || "(empty)"}
          </bdi>
          <RewardMark reward={index === 0 ? 0 : (steps[index - 1]?.reward ?? 0)} />
          {outcomes && <Proved equal={outcomes[index]} />}
        </button>
      )}
    </WindowedList>
  );
}

function RewardMark({ reward }: { reward: number }) {
  if (reward === 0) return <span class="reward" />;
  return <span class={reward > 0 ? "reward good" : "reward bad"}>{shortNumber(reward)}</span>;
}

export function shortNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}

function Proved({ equal }: { equal: boolean | undefined }) {
  if (equal === undefined) return <span class="proved">·</span>;
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
