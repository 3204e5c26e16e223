/** The steps of an episode as a windowed list. The page selects one of them. */
import type { Step } from "../../api.js";
import { WindowedList } from "../../parts/windowed-list.js";

interface Props {
  steps: readonly Step[];
  /** Number of steps before the selected place: 0 is the reset. */
  at: number;
  onSelect: (at: number) => void;
}

export function StepList({ steps, at, onSelect }: Props) {
  return (
    <WindowedList count={steps.length + 1} rowHeight={28} label="Steps" selected={at}>
      {(index) => (
        <button
          type="button"
          class="step"
          aria-current={index === at ? "step" : undefined}
          onClick={() => onSelect(index)}
        >
          <span class="number">{index}</span>
          <span class="action">{index === 0 ? "reset" : steps[index - 1]?.action}</span>
          <span class="reward">{index === 0 || steps[index - 1]?.reward === 0 ? "" : steps[index - 1]?.reward}</span>
        </button>
      )}
    </WindowedList>
  );
}
