/** Follows a running episode that others may play: its steps appear as they are played. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, type Step } from "../../api.js";
import { connection, follow } from "../../live.js";
import type { Transcript } from "./transcript.js";
import "./live.css";

/** Milliseconds in which steps are collected before they are shown together. */
const collectMs = 50;

/** Loads the steps that the transcript lacks, and those of a running episode as they are played. */
export function useLive(transcript: Transcript): void {
  useEffect(() => {
    if (transcript.isStored) return;
    if (transcript.isOver.peek()) return void transcript.loadRest();
    const held: Step[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      clearTimeout(timer);
      timer = undefined;
      transcript.add(held.splice(0));
    };
    const end = follow({
      episodeId: transcript.episode.peek().episodeId,
      next: () => transcript.steps.peek().length + held.length,
      onStep(step) {
        held.push(step);
        timer ??= setTimeout(show, collectMs);
      },
      onState(state) {
        show();
        transcript.setState(state);
      },
      onRefused: () => void reloadIfLost(transcript),
    });
    return () => {
      end();
      show();
    };
  }, [transcript]);
}

/** A gym whose log was restored from a backup may lack steps that the page shows, and then refuses to go on after them. */
async function reloadIfLost(transcript: Transcript): Promise<void> {
  try {
    const { index } = await api.episode(transcript.episode.peek().episodeId);
    if (index < transcript.steps.peek().length) location.reload();
  } catch {
    // The gym does not answer. The page says so, and connects again.
  }
}

/** Milliseconds between two announcements to screen readers. The steps between them are not announced. */
const announceMs = 3_000;

/** Whether the episode goes on, and its newest step for screen readers. */
export function LiveNote({ transcript }: { transcript: Transcript }) {
  const announced = useSignal("");
  useEffect(() => {
    if (transcript.isStored) return;
    let known = transcript.steps.peek().length;
    const timer = setInterval(() => {
      const steps = transcript.steps.peek();
      if (steps.length > known) announced.value = `Step ${steps.length}: ${steps.at(-1)?.action.slice(0, 200)}`;
      known = steps.length;
    }, announceMs);
    return () => clearInterval(timer);
  }, [transcript]);
  if (transcript.isStored) return null;
  // Without a connection the page does not know.
  const isLive = connection.value === "open" ? transcript.isLive.value : null;
  return (
    <>
      {!transcript.isOver.value && isLive !== null && (
        <span class={isLive ? "badge good" : "badge"}>{isLive ? "live" : "parked"}</span>
      )}
      <span class="hidden-log" role="log">
        {announced.value}
      </span>
    </>
  );
}
