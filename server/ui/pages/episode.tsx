/** An episode: its steps, the observation at one of them, and ways to go on from there. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Step } from "../api.js";
import { ActionForm } from "../parts/action-form.js";
import { useKeys } from "../parts/keys.js";
import { Failure, Loaded } from "../parts/loaded.js";
import { Observation } from "../parts/observation.js";
import { RewardLine } from "../parts/reward-line.js";
import { WindowedList } from "../parts/windowed-list.js";
import { goTo, linkTo, place } from "../route.js";
import { Transcript } from "./transcript.js";

export function EpisodePage({ id }: { id: string }) {
  return (
    <Loaded of={id} load={() => Transcript.load(id)}>
      {(transcript) => <EpisodeView id={id} transcript={transcript} />}
    </Loaded>
  );
}

export function EpisodeView({ id, transcript }: { id: string; transcript: Transcript }) {
  useEffect(() => {
    if (!transcript.isStored) transcript.loadRest();
  }, [transcript]);
  const episode = transcript.episode.value;
  const steps = transcript.steps.value;
  const asked = place.value.query.get("step");
  const at = Math.min(asked === null ? steps.length : Math.max(0, Number(asked) || 0), steps.length);
  const select = (step: number) => {
    const next = Math.min(Math.max(0, step), steps.length);
    goTo(linkTo(["episodes", id], { step: next === steps.length ? undefined : next }), { replaces: true });
  };
  const [previous, next] = [() => select(at - 1), () => select(at + 1)];
  useKeys({
    j: next,
    ArrowDown: next,
    ArrowRight: next,
    k: previous,
    ArrowUp: previous,
    ArrowLeft: previous,
    Home: () => select(0),
    End: () => select(steps.length),
  });
  const fork = async () => {
    const forked = await transcript.fork(at);
    if (forked !== undefined) goTo(linkTo(["episodes", forked]));
  };
  return (
    <section class="episode">
      <header>
        <h1>
          {episode.environment} {episode.task.split} {episode.task.index}
        </h1>
        <p class="quiet">
          <span class="id">{id}</span> · seed {episode.seed} · {episode.phase} · {episode.index} of at most{" "}
          {episode.maxSteps} steps
          {episode.parent !== null && (
            <>
              {" "}
              · forked from <a href={linkTo(["episodes", episode.parent])}>{episode.parent}</a>
            </>
          )}
        </p>
        <RewardLine steps={steps} at={at} onSelect={select} />
      </header>
      <StepList steps={steps} at={at} onSelect={select} />
      <StepView transcript={transcript} at={at} onFork={fork} />
    </section>
  );
}

function StepList({ steps, at, onSelect }: { steps: readonly Step[]; at: number; onSelect: (step: number) => void }) {
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

function StepView({ transcript, at, onFork }: { transcript: Transcript; at: number; onFork: () => void }) {
  const { opening, steps, isPlaying, isOver, error } = transcript;
  const step = at === 0 ? undefined : steps.value[at - 1];
  const shown = step ?? opening;
  const advised = useSignal("");
  const isLast = at === steps.value.length;
  const ask = async () => {
    advised.value = (await transcript.advice()) ?? "";
  };
  const play = (action: string) => {
    advised.value = "";
    transcript.play(action);
  };
  return (
    <section class="step-view" aria-label={`Step ${at}`}>
      {step && (
        <p>
          <code class="action">{step.action}</code>
        </p>
      )}
      <Observation text={shown.observation} parts={shown.parts} />
      {step && (
        <p class="quiet">
          reward {step.reward}
          {step.terminated && " · terminated"}
          {step.truncated && " · truncated"}
        </p>
      )}
      {Object.keys(shown.info).length > 0 && (
        <details>
          <summary>Info</summary>
          <pre>{JSON.stringify(shown.info, null, 2)}</pre>
        </details>
      )}
      {error.value !== null && <Failure error={error.value} />}
      {transcript.isStored ? null : isLast && !isOver.value ? (
        <>
          <ActionForm tools={transcript.episode.value.tools} disabled={isPlaying.value} onAction={play} />
          <p>
            <button type="button" onClick={ask} disabled={isPlaying.value}>
              Ask the expert
            </button>{" "}
            {advised.value !== "" && (
              <button type="button" onClick={() => play(advised.value)}>
                Play: {advised.value}
              </button>
            )}
          </p>
        </>
      ) : (
        <p>
          <button type="button" onClick={onFork} disabled={isPlaying.value}>
            Fork from here
          </button>
        </p>
      )}
    </section>
  );
}
