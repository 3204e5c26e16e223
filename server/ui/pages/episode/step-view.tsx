/** One step of an episode: its action and its result. */
import type { ComponentChildren } from "preact";
import type { Opening, Step } from "../../api.js";
import { shortNumber } from "../../numbers.js";
import { Picture } from "../../parts/observation.js";
import { Raw } from "../../parts/raw.js";
import { Text } from "../../parts/text.js";
import { Info } from "./info.js";
import { LivePicture } from "./live-picture.js";
import { OfSeats } from "./of-seats.js";
import { exitCodeIn } from "./reading/remarks.js";
import { infoText, type Search } from "./search.js";
import { clockText, tookText } from "./step-times.js";
import type { Transcript } from "./transcript.js";

interface Props {
  transcript: Transcript;
  at: number;
  /** Milliseconds that the step took. */
  took: number | null | undefined;
  search: Search;
  isRaw: boolean;
}

export function StepView({ transcript, at, took, search, isRaw }: Props) {
  const step = at === 0 ? undefined : transcript.steps.value[at - 1];
  const shown = step ?? transcript.opening;
  if (isRaw) return <Raw value={shown} words={search.words.value} />;
  const words = search.words.value;
  return (
    <>
      <StepFacts transcript={transcript} at={at} took={took} step={step} />
      {step && (
        <Titled title="Action" kind="played">
          <Text text={step.action} words={words} match={search.matchIn(at, 0)} />
        </Titled>
      )}
      <Titled title="Observation" kind="observation">
        <ExitCode observation={shown.observation} />
        <div class="beside">
          <Text key={at} text={shown.observation} words={words} match={search.matchIn(at, 1)} />
          <Parts shown={shown} />
          {!shown.parts?.some(({ type }) => type === "image") && <LivePicture transcript={transcript} at={at} />}
        </div>
      </Titled>
      <Info info={shown.info} text={infoText(shown.info)} words={words} match={search.matchIn(at, 2)} />
    </>
  );
}

function StepFacts({ transcript, at, took, step }: Omit<Props, "search" | "isRaw"> & { step: Step | undefined }) {
  const total = transcript.steps.value.slice(0, at).reduce((sum, { reward }) => sum + reward, 0);
  return (
    <p class="facts">
      <strong>{at === 0 ? "Reset" : `Step ${at}`}</strong>
      {step && <OfSeats seat={transcript.seatOf(at)} rewards={step.rewards} />}
      {step && (
        <span>
          reward <b>{shortNumber(step.reward)}</b>
        </span>
      )}
      {step && (
        <span>
          return <b>{shortNumber(total)}</b>
        </span>
      )}
      {step && <StepTime atMs={step.atMs} took={took} />}
      {step?.terminated && <span class="badge">terminated</span>}
      {step?.truncated && <span class="badge">truncated</span>}
    </p>
  );
}

function StepTime({ atMs, took }: { atMs: number | null; took: number | null | undefined }) {
  if (atMs === null) return null;
  return (
    <>
      {took !== null && took !== undefined && (
        <span title="Time since the step before, or since the episode was created">
          after <b>{tookText(took)}</b>
        </span>
      )}
      <time dateTime={new Date(atMs).toISOString()} title="Time at which the gym logged the step">
        {clockText(atMs)}
      </time>
    </>
  );
}

function Titled({ title, kind, children }: { title: string; kind: string; children: ComponentChildren }) {
  return (
    <section class={kind}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function ExitCode({ observation }: { observation: string }) {
  const code = exitCodeIn(observation);
  if (code === undefined) return null;
  return <p class={code === "0" ? "badge good" : "badge bad"}>exit code {code}</p>;
}

function Parts({ shown: { parts = [] } }: { shown: Opening }) {
  return (
    <>
      {parts.map((part, i) =>
        part.type === "image" ? (
          <Picture key={i} mediaType={part.mediaType} data={part.data} label={`picture ${i + 1} of the observation`} />
        ) : (
          <details key={i}>
            <summary>JSON</summary>
            <Text text={JSON.stringify(part.data, null, 2)} />
          </details>
        ),
      )}
    </>
  );
}
