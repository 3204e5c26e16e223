/** The next pair of a rater, the choice, and what the choice reveals. */
import { useSignal } from "@preact/signals";
import { api, type Judgment } from "../../api.js";
import { useKeys } from "../../parts/keys.js";
import { Failure, Loaded } from "../../parts/loaded.js";
import { Inline, Text } from "../../parts/text.js";
import { linkTo } from "../../route.js";
import { Side } from "./side.js";

export const choices = [
  { choice: "left", key: "1", label: "Left is better" },
  { choice: "right", key: "2", label: "Right is better" },
  { choice: "tie", key: "3", label: "Equally good" },
  { choice: "bad", key: "4", label: "Both bad" },
] as const;

type Choice = Judgment["choice"];

export function Judging({ rater, environment }: { rater: string; environment: string | undefined }) {
  const turn = useSignal(0);
  return (
    <Loaded
      of={`${rater} ${environment} ${turn.value}`}
      load={() => api.nextPair({ rater, ...(environment && { environment }) })}
    >
      {({ pair, remaining }) =>
        pair === null ? (
          <NoPair />
        ) : (
          <PairView
            key={`${pair.left} ${pair.right} ${turn.value}`}
            {...pair}
            rater={rater}
            remaining={remaining}
            onNext={() => turn.value++}
          />
        )
      }
    </Loaded>
  );
}

function NoPair() {
  return (
    <p>
      There is no pair left to judge. A pair needs two ended episodes of one task, with the same seed and different
      actions. <a href={linkTo(["environments"])}>Play one</a>, or see the{" "}
      <a href={linkTo(["judge", "agreement"])}>agreement</a>.
    </p>
  );
}

interface PairProps {
  left: string;
  right: string;
  rater: string;
  remaining: number;
  onNext: () => void;
}

function PairView({ left, right, rater, remaining, onNext }: PairProps) {
  const made = useSignal<Judgment | null>(null);
  const isSaving = useSignal(false);
  const error = useSignal<unknown>(null);
  const note = useSignal("");
  const choose = async (choice: Choice) => {
    if (isSaving.value || made.value) return;
    isSaving.value = true;
    error.value = null;
    try {
      made.value = await api.judge({ left, right, choice, rater, note: note.value });
    } catch (reason) {
      error.value = reason;
    } finally {
      isSaving.value = false;
    }
  };
  const next = () => made.value && onNext();
  useKeys({ ...Object.fromEntries(choices.map(({ choice, key }) => [key, () => void choose(choice)])), n: next });
  return (
    <Loaded of={`${left} ${right}`} load={() => loadTask(left)}>
      {({ episode: { environment, task, seed, prompt }, opening, goal }) => (
        <>
          <p class="judge-task">
            <strong>
              <Inline text={`${environment} · ${task.split} ${task.index}`} most={200} />
            </strong>{" "}
            <span class="quiet">
              seed {seed} · {remaining} {remaining === 1 ? "pair" : "pairs"} left
            </span>
          </p>
          {goal !== "" && (
            <p class="judge-goal">
              <span class="quiet">Goal</span> <Inline text={goal} />
            </p>
          )}
          <details class="judge-opening" open={goal === ""}>
            <summary>Instructions and first observation</summary>
            {prompt !== "" && <Text text={prompt} />}
            <Text text={opening.observation} />
          </details>
          <div class="judge-sides">
            <Side name="Left" id={left} isRevealed={made.value !== null} isChosen={made.value?.choice === "left"} />
            <Side name="Right" id={right} isRevealed={made.value !== null} isChosen={made.value?.choice === "right"} />
          </div>
          {error.value !== null && <Failure error={error.value} />}
          {made.value ? (
            <Verdict judgment={made.value} onNext={onNext} />
          ) : (
            <Ballot note={note} disabled={isSaving.value} onChoice={choose} />
          )}
        </>
      )}
    </Loaded>
  );
}

/** Loads the task of a pair: its episode, the first observation, and the goal, which is "" if the gym no longer knows it. */
async function loadTask(id: string) {
  const [episode, opening] = await Promise.all([api.episode(id), api.opening(id)]);
  const { environment, task } = episode;
  const found = await api.tasks(environment, { split: task.split, from: task.index, limit: 1 }).catch(() => null);
  return { episode, opening, goal: found?.tasks.find(({ index }) => index === task.index)?.title ?? "" };
}

interface BallotProps {
  note: { value: string };
  disabled: boolean;
  onChoice: (choice: Choice) => void;
}

function Ballot({ note, disabled, onChoice }: BallotProps) {
  return (
    <fieldset class="ballot">
      <legend>Your judgment</legend>
      {choices.map(({ choice, key, label }) => (
        <button key={choice} type="button" disabled={disabled} aria-keyshortcuts={key} onClick={() => onChoice(choice)}>
          <span class="key" aria-hidden="true">
            {key}
          </span>{" "}
          {label}
        </button>
      ))}
      <input
        aria-label="Note"
        placeholder="Why? (optional)"
        maxLength={2_000}
        value={note.value}
        onInput={({ currentTarget }) => {
          note.value = currentTarget.value;
        }}
      />
    </fieldset>
  );
}

function Verdict({ judgment, onNext }: { judgment: Judgment; onNext: () => void }) {
  const { label } = choices.find(({ choice }) => choice === judgment.choice) as (typeof choices)[number];
  return (
    <div class="ballot">
      <p role="status">Kept: {label.toLowerCase()}.</p>
      <button type="button" class="primary" aria-keyshortcuts="n" ref={(button) => button?.focus()} onClick={onNext}>
        Next pair{" "}
        <span class="key" aria-hidden="true">
          n
        </span>
      </button>
    </div>
  );
}
