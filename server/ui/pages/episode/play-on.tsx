/** Ways to go on from a step: play the next one by hand, ask the expert, or fork. */
import { useSignal } from "@preact/signals";
import { ActionForm } from "../../parts/action-form.js";
import { goTo, linkTo } from "../../route.js";
import type { Transcript } from "./transcript.js";

export function PlayOn({ transcript, at }: { transcript: Transcript; at: number }) {
  const { steps, isPlaying, isOver, episode } = transcript;
  const advised = useSignal("");
  const ask = async () => {
    advised.value = (await transcript.advice()) ?? "";
  };
  const play = (action: string) => {
    advised.value = "";
    transcript.play(action);
  };
  const fork = async () => {
    const forked = await transcript.fork(at);
    if (forked !== undefined) goTo(linkTo(["episodes", forked]));
  };
  if (at < steps.value.length || isOver.value) {
    return (
      <p>
        <button type="button" onClick={fork} disabled={isPlaying.value}>
          Fork from here
        </button>
      </p>
    );
  }
  return (
    <>
      <ActionForm tools={episode.value.tools} disabled={isPlaying.value} onAction={play} />
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
  );
}
