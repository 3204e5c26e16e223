/**
 * Two episodes side by side, paired by their actions. Steps that are equal at the start are folded, and the words that differ
 * are marked.
 */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { counted, shortNumber } from "../../numbers.js";
import { MeasuredList } from "../../parts/lists/measured-list.js";
import { Loaded } from "../../parts/loaded.js";
import { Picture } from "../../parts/observation.js";
import { OutcomeBadge } from "../../parts/outcome.js";
import { Inline } from "../../parts/text.js";
import { Transcript } from "../episode/transcript.js";
import { aligned, type Pairing } from "./align.js";
import { DifferingText } from "./differing-text.js";
import { type Side, type SideStep, sideOfEpisode } from "./side.js";

type Sides = readonly [Side, Side];

/** Two episodes of the gym, whose further steps are loaded while they are read. */
export function EpisodesSideBySide({ left, right }: { left: string; right: string }) {
  return (
    <Loaded of={`${left} ${right}`} load={() => Promise.all([Transcript.load(left), Transcript.load(right)])}>
      {(pair) => <Transcripts pair={pair} />}
    </Loaded>
  );
}

function Transcripts({ pair }: { pair: readonly [Transcript, Transcript] }) {
  useEffect(() => {
    for (const transcript of pair) transcript.loadRest();
  }, [pair]);
  return <SideBySide sides={[sideOfEpisode(pair[0]), sideOfEpisode(pair[1])]} />;
}

export function SideBySide({ sides }: { sides: Sides }) {
  const isUnfolded = useSignal(false);
  const pairs = usePairs(sides);
  const equal = useMemo(
    () => equalResults(sides),
    sides.map(({ steps }) => steps),
  );
  return (
    <section class="page comparison">
      <h1>Compare</h1>
      <div class="pair heads">
        {sides.map((side, i) => (
          <Head key={i} side={side} name={i === 0 ? "Left" : "Right"} />
        ))}
      </div>
      <DifferentTasks sides={sides} />
      {equal > 0 && (
        <button
          type="button"
          class="folded"
          aria-expanded={isUnfolded.value}
          onClick={() => (isUnfolded.value = !isUnfolded.value)}
        >
          {isUnfolded.value ? "▾" : "▸"} The reset {equal > 1 ? `and ${counted(equal - 1, "step")} are` : "is"} equal
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
          return sides.map((side, i) => (
            <Shown
              key={i}
              side={side}
              other={sides[1 - i] as Side}
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
function usePairs(sides: Sides): readonly Pairing[] {
  const [left, right] = [sides[0].steps, sides[1].steps];
  // While steps are still loaded, they are paired by their places.
  const isWhole = sides.every(({ steps, length }) => steps.length >= length);
  return useMemo(() => {
    if (!isWhole) return Array.from({ length: 1 + Math.max(left.length, right.length) }, (_, at) => [at, at] as const);
    const [own, theirs] = [left, right].map((steps) => steps.map(({ action }) => action)) as [string[], string[]];
    return [[0, 0], ...aligned(own, theirs)];
  }, [left, right, isWhole]);
}

function Head({ side, name }: { side: Side; name: string }) {
  const { environment, task, seed, outcome, length } = side;
  return (
    <section aria-label={name}>
      <p>
        <a class="id" href={side.linkTo()}>
          <Inline text={side.name} most={120} />
        </a>{" "}
        <Inline text={environment} most={60} /> <Inline text={task.split} most={60} /> {task.index}
      </p>
      <p class="quiet">
        <OutcomeBadge outcome={outcome} /> return <strong>{shortNumber(side.return)}</strong>, {counted(length, "step")}
        {seed !== undefined && `, seed ${seed}`}
      </p>
    </section>
  );
}

function DifferentTasks({ sides }: { sides: Sides }) {
  const [left, right] = sides.map(({ environment, task }) => `${environment} ${task.split} ${task.index}`);
  if (left === right) return null;
  return <p class="failure">The episodes are of different tasks.</p>;
}

interface ShownProps {
  side: Side;
  other: Side;
  /** Step that is shown: 0 is the reset. Null if this episode has no step here. */
  at: number | null;
  otherAt: number | null;
  /** Whether this episode has no step here and none later, and had one in the row before. */
  isEnd: boolean;
}

function Shown({ side, other, at, otherAt, isEnd }: ShownProps) {
  const shown = at === null ? undefined : resultAt(side, at);
  if (at === null || !shown) return <section class="side quiet">{isEnd && side.end}</section>;
  const there = otherAt === null ? undefined : resultAt(other, otherAt);
  const step = at === 0 ? undefined : (shown as SideStep);
  return (
    <section class="side">
      <p class="side-head">
        <a href={side.linkTo(at)}>{at === 0 ? "reset" : `step ${at}`}</a>
        {step && step.reward !== 0 && <span class="badge">reward {shortNumber(step.reward)}</span>}
        {step?.terminated && <span class="badge">terminated</span>}
        {step?.truncated && <span class="badge">truncated</span>}
      </p>
      {step && <Acted step={step} there={there as SideStep | undefined} />}
      <Observed result={shown} there={there} />
    </section>
  );
}

/** The text in which the action was found, and the action if the text does not have it word by word. */
function Acted({ step: { action, wrote }, there }: { step: SideStep; there: SideStep | undefined }) {
  return (
    <>
      {wrote !== undefined && (
        <div class={wrote === there?.wrote ? "played" : "played differs"}>
          <DifferingText text={wrote} other={there?.wrote} most={2_000} />
        </div>
      )}
      {!wrote?.includes(action) && (
        <div class={action === there?.action ? "played" : "played differs"}>
          <DifferingText text={action} other={there?.action} most={2_000} />
        </div>
      )}
    </>
  );
}

/** A train step's log has no observation after the last action. */
function Observed({ result, there }: { result: Side["opening"]; there: Side["opening"] | undefined }) {
  const { observation, parts = [] } = result;
  if (observation === "" && parts.length === 0) return null;
  return (
    <div class={observation === there?.observation ? "observation" : "observation differs"}>
      <DifferingText text={observation} other={there?.observation} most={1_200} />
      {parts.map(
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
  );
}

function resultAt({ opening, steps }: Side, at: number): Side["opening"] | SideStep | undefined {
  return at === 0 ? opening : steps[at - 1];
}

/** Returns the number of results from the reset on that are equal in both episodes. */
function equalResults(sides: Sides): number {
  for (let at = 0; ; at++) {
    const [left, right] = sides.map((side) => resultAt(side, at));
    if (!left || !right || contentOf(left) !== contentOf(right)) return at;
  }
}

/** Returns a result as text, without the times of its step. */
function contentOf(result: object): string {
  const { atMs: _, gymMs: __, ...content } = result as { atMs?: number; gymMs?: number };
  return JSON.stringify(content);
}
