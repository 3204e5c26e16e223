/** All steps of an episode in one scroll: thought, action and observation of each, with remarks. */
import { useCallback, useMemo } from "preact/hooks";
import type { Opening, Step } from "../../../api.js";
import { shortNumber } from "../../../numbers.js";
import { MeasuredList } from "../../../parts/lists/measured-list.js";
import { Observation } from "../../../parts/observation.js";
import { Text } from "../../../parts/text.js";
import { linkTo } from "../../../route.js";
import { NoteAt } from "../notes.js";
import { OfSeats } from "../of-seats.js";
import type { Outcomes } from "../proof.js";
import { type StepTimes, tookText } from "../step-times.js";
import type { Transcript } from "../transcript.js";
import { Filmstrip } from "./filmstrip.js";
import { type Remark, remarksOn } from "./remarks.js";
import { writtenIn } from "./written.js";
import "./reading.css";

interface Props {
  transcript: Transcript;
  took: StepTimes["took"] | undefined;
  /** Outcomes of a replay, or null if none was started. */
  outcomes: Outcomes | null;
}

export function ReadingView({ transcript, took, outcomes }: Props) {
  const steps = transcript.steps.value;
  const { opening } = transcript;
  const { episodeId } = transcript.episode.value;
  const remarks = useMemo(() => remarksOn(steps), [steps]);
  const row = useCallback(
    (at: number) =>
      at === 0 ? (
        <Reset opening={opening} />
      ) : (
        <ReadStep
          transcript={transcript}
          at={at}
          step={steps[at - 1] as Step}
          took={took?.[at - 1] ?? null}
          remarks={remarks[at - 1] ?? []}
          proof={outcomes && (outcomes[at] ?? "unknown")}
        />
      ),
    [steps, took, remarks, outcomes],
  );
  return (
    <>
      <Filmstrip episodeId={episodeId} opening={opening} steps={steps} />
      <MeasuredList class="reading" label="Steps" from={0} end={steps.length + 1} rowClass={() => "read-step"}>
        {row}
      </MeasuredList>
    </>
  );
}

function Reset({ opening }: { opening: Opening }) {
  return (
    <section aria-label="Step 0">
      <p class="facts">
        <strong>Reset</strong>
      </p>
      <Observation text={opening.observation} parts={opening.parts} />
    </section>
  );
}

interface StepProps {
  transcript: Transcript;
  at: number;
  step: Step;
  took: number | null;
  remarks: readonly Remark[];
  proof: boolean | "unknown" | null;
}

function ReadStep({ transcript, at, step, took, remarks, proof }: StepProps) {
  const { episodeId } = transcript.episode.peek();
  const { thought, action, isRead } = writtenIn(step);
  return (
    <section aria-label={`Step ${at}`}>
      <p class="facts">
        <a href={linkTo(["episodes", episodeId], { step: at })}>Step {at}</a>
        <OfSeats seat={transcript.seatOf(at)} rewards={step.rewards} />
        {step.reward !== 0 && (
          <span>
            reward <b class={step.reward > 0 ? "good" : "bad"}>{shortNumber(step.reward)}</b>
          </span>
        )}
        {remarks.map(({ text, isBad }) => (
          <span key={text} class={isBad ? "badge bad" : "badge"}>
            {text}
          </span>
        ))}
        {proof !== null && <Proved equal={proof} />}
        <Times took={took} gymMs={step.gymMs} />
      </p>
      {thought !== "" && (
        <div class="thought">
          <Text text={thought} />
        </div>
      )}
      <div class={isRead ? "acted" : "acted unread"}>
        <Text text={action || "(empty)"} />
      </div>
      <Observation text={step.observation} parts={step.parts} />
      <NoteAt transcript={transcript} step={at} />
    </section>
  );
}

/** The time of a step, of which the environment took a part. The player and the way between them took the rest. */
function Times({ took, gymMs }: { took: number | null; gymMs: number | undefined }) {
  if (took === null) return null;
  const player = gymMs === undefined ? took : Math.max(0, took - gymMs);
  return (
    <span class="quiet">
      player {tookText(player)}
      {gymMs !== undefined && <> · gym {tookText(gymMs)}</>}
    </span>
  );
}

function Proved({ equal }: { equal: boolean | "unknown" }) {
  if (equal === "unknown") return null;
  return equal ? <span class="badge good">replayed equal</span> : <span class="badge bad">replayed different</span>;
}
