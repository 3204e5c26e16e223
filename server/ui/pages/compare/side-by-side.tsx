/**
 * Two episodes side by side, paired by their actions. Steps that are equal at the start are folded, and the words that differ
 * are marked.
 */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Opening, Step } from "../../api.js";
import { counted, shortNumber } from "../../numbers.js";
import { MeasuredList } from "../../parts/lists/measured-list.js";
import { Loaded } from "../../parts/loaded.js";
import { Picture } from "../../parts/observation.js";
import { OutcomeBadge } from "../../parts/outcome.js";
import { Inline } from "../../parts/text.js";
import { linkTo } from "../../route.js";
import { Transcript } from "../episode/transcript.js";
import { aligned, type Pairing } from "./align.js";
import { DifferingText } from "./differing-text.js";

type Pair = readonly [Transcript, Transcript];

export function SideBySide({ left, right }: { left: string; right: string }) {
  return (
    <Loaded of={`${left} ${right}`} load={() => Promise.all([Transcript.load(left), Transcript.load(right)])}>
      {(pair) => <PairView pair={pair} />}
    </Loaded>
  );
}

function PairView({ pair }: { pair: Pair }) {
  const isUnfolded = useSignal(false);
  useEffect(() => {
    for (const transcript of pair) transcript.loadRest();
  }, [pair]);
  const pairs = usePairs(pair);
  const equal = useMemo(() => equalResults(pair), [pair, ...pair.map(({ steps }) => steps.value)]);
  return (
    <section class="page comparison">
      <h1>Compare</h1>
      <div class="pair heads">
        {pair.map((transcript, i) => (
          <Head key={i} transcript={transcript} name={i === 0 ? "Left" : "Right"} />
        ))}
      </div>
      <DifferentTasks pair={pair} />
      {equal > 0 && (
        <button
          type="button"
          class="folded"
          aria-expanded={isUnfolded.value}
          onClick={() => (isUnfolded.value = !isUnfolded.value)}
        >
          {isUnfolded.value ? "▾" : "▸"} The reset and {counted(equal - 1, "step")} are equal
        </button>
      )}
      {equal === pairs.length && <p>The episodes do not differ.</p>}
      <MeasuredList
        class="pairs-of-steps"
        label="Steps of both episodes"
        from={isUnfolded.value ? 0 : equal}
        end={pairs.length}
        rowClass={(row) => (row === equal ? "pair parting" : "pair")}
      >
        {(row) => {
          const places = pairs[row] as Pairing;
          return pair.map((transcript, i) => (
            <Side
              key={i}
              transcript={transcript}
              other={pair[1 - i] as Transcript}
              at={places[i] ?? null}
              otherAt={places[1 - i] ?? null}
              isEnd={row === 1 + pairs.findLastIndex((places) => places[i as 0 | 1] !== null)}
            />
          ));
        }}
      </MeasuredList>
    </section>
  );
}

/** Returns the resets and steps that stand beside each other. */
function usePairs(pair: Pair): readonly Pairing[] {
  const [left = [], right = []] = pair.map(({ steps }) => steps.value);
  // While steps are still loaded, they are paired by their places.
  const isWhole = pair.every(({ steps, episode }) => steps.value.length >= episode.value.index);
  return useMemo(() => {
    if (!isWhole) return Array.from({ length: 1 + Math.max(left.length, right.length) }, (_, at) => [at, at] as const);
    const [own, theirs] = [left, right].map((steps) => steps.map(({ action }) => action)) as [string[], string[]];
    return [[0, 0], ...aligned(own, theirs)];
  }, [left, right, isWhole]);
}

function Head({ transcript, name }: { transcript: Transcript; name: string }) {
  const { episodeId, environment, task, seed, outcome, index } = transcript.episode.value;
  const total = transcript.steps.value.reduce((sum, { reward }) => sum + reward, 0);
  return (
    <section aria-label={name}>
      <p>
        <a class="id" href={linkTo(["episodes", episodeId])}>
          {episodeId}
        </a>{" "}
        <Inline text={environment} most={60} /> <Inline text={task.split} most={60} /> {task.index}
      </p>
      <p class="quiet">
        <OutcomeBadge outcome={outcome} /> return <strong>{shortNumber(total)}</strong>, {index} steps, seed {seed}
      </p>
    </section>
  );
}

function DifferentTasks({ pair }: { pair: Pair }) {
  const [left, right] = pair.map(
    ({ episode: { value } }) => `${value.environment} ${value.task.split} ${value.task.index}`,
  );
  if (left === right) return null;
  return <p class="failure">The episodes are of different tasks.</p>;
}

interface SideProps {
  transcript: Transcript;
  other: Transcript;
  /** Step that is shown: 0 is the reset. Null if this episode has no step here. */
  at: number | null;
  otherAt: number | null;
  /** Whether this episode has no step here and none later, and had one in the row before. */
  isEnd: boolean;
}

function Side({ transcript, other, at, otherAt, isEnd }: SideProps) {
  const shown = at === null ? undefined : resultAt(transcript, at);
  if (at === null || !shown) return <section class="side quiet">{isEnd && endOf(transcript)}</section>;
  const there = otherAt === null ? undefined : resultAt(other, otherAt);
  const step = at === 0 ? undefined : (shown as Step);
  return (
    <section class="side">
      <p class="side-head">
        <a href={linkTo(["episodes", transcript.episode.value.episodeId], { step: at })}>
          {at === 0 ? "reset" : `step ${at}`}
        </a>
        {step && step.reward !== 0 && <span class="badge">reward {shortNumber(step.reward)}</span>}
        {step?.terminated && <span class="badge">terminated</span>}
        {step?.truncated && <span class="badge">truncated</span>}
      </p>
      {step && (
        <div class={step.action === (there as Step | undefined)?.action ? "played" : "played differs"}>
          <DifferingText text={step.action} other={(there as Step | undefined)?.action} most={2_000} />
        </div>
      )}
      <div class={shown.observation === there?.observation ? "observation" : "observation differs"}>
        <DifferingText text={shown.observation} other={there?.observation} most={1_200} />
        {shown.parts?.map(
          (part, i) =>
            part.type === "image" && (
              <Picture
                key={i}
                mediaType={part.mediaType}
                data={part.data}
                label={`picture ${i + 1} of the observation`}
              />
            ),
        )}
      </div>
    </section>
  );
}

/** Returns what comes after the last known step. */
function endOf({ episode, steps, isOver }: Transcript): string {
  if (steps.value.length < episode.value.index) return "Loading…";
  return isOver.value ? "The episode is over." : "The episode goes on. It has no further step yet.";
}

function resultAt({ opening, steps }: Transcript, at: number): Opening | Step | undefined {
  return at === 0 ? opening : steps.value[at - 1];
}

/** Returns the number of results from the reset on that are equal in both episodes. */
function equalResults(pair: Pair): number {
  for (let at = 0; ; at++) {
    const [left, right] = pair.map((transcript) => resultAt(transcript, at));
    if (!left || !right || contentOf(left) !== contentOf(right)) return at;
  }
}

/** Returns a result as text, without the times of its step. */
function contentOf(result: Opening | Step): string {
  const { atMs: _, gymMs: __, ...content } = result as Step;
  return JSON.stringify(content);
}
