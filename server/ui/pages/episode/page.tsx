/** An episode: its steps, the observation at one of them, and ways to go on from there. */
import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useMemo } from "preact/hooks";
import { useKeys } from "../../parts/keys.js";
import { Failure, Loaded } from "../../parts/loaded.js";
import { RewardLine } from "../../parts/reward-line.js";
import { Inline } from "../../parts/text.js";
import { readableLine } from "../../parts/visible-text.js";
import { goTo, linkTo, place } from "../../route.js";
import { EpisodeHeader } from "./header.js";
import { LiveNote, useLive } from "./live.js";
import { NoteAt } from "./notes.js";
import { PlayOn } from "./play-on.js";
import { type Outcomes, Proof } from "./proof.js";
import { ProofView } from "./proof-view.js";
import { ReadingView } from "./reading/reading-view.js";
import { Search } from "./search.js";
import { SearchBar } from "./search-bar.js";
import { StepList } from "./step-list.js";
import { type StepTimes, stepTimesOf } from "./step-times.js";
import { StepView } from "./step-view.js";
import { TimeLine } from "./time-line.js";
import { Toolbar, type View } from "./toolbar.js";
import { Transcript } from "./transcript.js";
import "./episode.css";

export function EpisodePage({ id }: { id: string }) {
  return (
    <Loaded of={id} load={() => Transcript.load(id)}>
      {(transcript) => <EpisodeView key={id} id={id} transcript={transcript} />}
    </Loaded>
  );
}

export function EpisodeView({ id, transcript }: { id: string; transcript: Transcript }) {
  useLive(transcript);
  const search = useMemo(() => new Search(), [transcript]);
  const proof = useMemo(() => new Proof(), [transcript]);
  useEffect(() => () => proof.stop(), [proof]);
  const isRaw = useSignal(false);
  const { episode, steps } = transcript;
  const { createdAt, parent } = episode.value;
  const times = useMemo(() => stepTimesOf(episode.peek(), steps.value), [createdAt, parent, steps.value]);
  const { at, asked, select } = useSelection(id, steps.value.length);
  const view = useView(transcript);
  const { outcomes } = proof;
  return (
    <section class={view === "transcript" ? "episode is-reading" : "episode"}>
      <header>
        <EpisodeHeader episode={episode.value} steps={steps.value}>
          <LiveNote transcript={transcript} />
        </EpisodeHeader>
        <NoteAt transcript={transcript} step={0} />
        <Toolbar transcript={transcript} proof={proof} view={view} isRaw={isRaw} />
        <ProofView proof={proof} steps={episode.value.index} onSelect={select} />
        {view === "steps" && (
          <RewardLine steps={steps.value} at={at} onSelect={select}>
            {times && <TimeLine times={times} at={at} onSelect={select} />}
          </RewardLine>
        )}
      </header>
      {view === "transcript" ? (
        <ReadingView transcript={transcript} took={times?.took} outcomes={outcomes.value} />
      ) : (
        <Stepwise {...{ transcript, search, at, asked, select, times, isRaw: isRaw.value, outcomes: outcomes.value }} />
      )}
    </section>
  );
}

interface StepwiseProps {
  transcript: Transcript;
  search: Search;
  at: number;
  /** Step in the URL, which the episode may lack, or a text that is no number. */
  asked: number | string;
  select: (step: number) => void;
  times: StepTimes | null;
  outcomes: Outcomes | null;
  isRaw: boolean;
}

/** The list of steps, and the selected one. */
function Stepwise({ transcript, search, at, asked, select, times, outcomes, isRaw }: StepwiseProps) {
  const { episode, steps, error } = transcript;
  const seatOf = useCallback((step: number) => transcript.seatOf(step), [transcript]);
  return (
    <>
      <div class="steps">
        <SearchBar search={search} transcript={transcript} at={at} onSelect={select} />
        <StepList
          steps={steps.value}
          seatOf={seatOf}
          at={at}
          hits={search.hits.value}
          took={times?.took}
          outcomes={outcomes}
          onSelect={select}
        />
      </div>
      <section class="step-view" aria-label={`Step ${at}`}>
        {asked !== at && steps.value.length >= episode.value.index && (
          <p class="failure" role="status">
            The episode has no step <Inline text={`${asked}`} most={60} />. This is{" "}
            {at === 0 ? "its reset" : `step ${at}`}.
          </p>
        )}
        <StepView transcript={transcript} at={at} took={times?.took[at - 1]} search={search} isRaw={isRaw} />
        {at > 0 && <NoteAt key={at} transcript={transcript} step={at} />}
        {error.value !== null && <Failure error={error.value} />}
        {!transcript.isStored && <PlayOn transcript={transcript} at={at} />}
      </section>
    </>
  );
}

/** The view in the URL. Without one, an episode that was over when the page opened is read as a whole. */
function useView(transcript: Transcript): View {
  const wasOver = useMemo(() => transcript.isOver.peek(), [transcript]);
  const { query } = place.value;
  const asked = query.get("view");
  if (asked === "transcript" || asked === "steps") return asked;
  return wasOver && !query.has("step") ? "transcript" : "steps";
}

/** The selected place, which is in the URL. Without one, it is the newest step. */
function useSelection(
  id: string,
  last: number,
): { at: number; asked: number | string; select: (step: number) => void } {
  const asked = () => {
    const text = place.value.query.get("step");
    return text === null ? last : /^\d{1,15}$/.test(text) ? Number(text) : readableLine(text, 40);
  };
  // A key may come before the page has rendered the step of the key before, so keys read the place itself.
  const present = () => {
    const step = asked();
    return typeof step === "number" ? Math.min(step, last) : 0;
  };
  const select = (step: number) => {
    const next = Math.min(Math.max(0, step), last);
    const isNewest = next === last;
    goTo(linkTo(["episodes", id], isNewest ? { view: "steps" } : { step: next }), { replaces: true });
  };
  const [previous, next] = [() => select(present() - 1), () => select(present() + 1)];
  useKeys({
    j: next,
    ArrowDown: next,
    ArrowRight: next,
    k: previous,
    ArrowUp: previous,
    ArrowLeft: previous,
    Home: () => select(0),
    End: () => select(last),
  });
  return { at: present(), asked: asked(), select };
}
