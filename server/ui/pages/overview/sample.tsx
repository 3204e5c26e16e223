/** A first episode for an empty gym: to play by hand, or to watch the expert play it. */
import { useSignal } from "@preact/signals";
import { api, CallError, type Environment } from "../../api.js";
import { Failure } from "../../parts/loaded.js";
import { goTo, linkTo, place } from "../../route.js";

/** Environments that need nothing, in the order of their use as a sample. */
const samples = ["babyai", "textcraft"];
/** Milliseconds between two steps of the expert, so that a person can follow. */
const pauseMs = 500;

export function Sample() {
  const isOpening = useSignal(false);
  const error = useSignal<unknown>(null);
  const open = async (isExpert: boolean) => {
    isOpening.value = true;
    error.value = null;
    try {
      const episodeId = await create();
      if (!isExpert) return goTo(linkTo(["episodes", episodeId]));
      // The page of the episode says what ends the play.
      await watchExpert(episodeId).catch(() => {});
    } catch (reason) {
      error.value = reason;
    }
    isOpening.value = false;
  };
  return (
    <div class="sample">
      <p>This gym has no episodes yet. A sample shows what one is.</p>
      <p>
        <button type="button" class="primary" disabled={isOpening.value} onClick={() => open(false)}>
          Play a sample
        </button>{" "}
        <button type="button" disabled={isOpening.value} onClick={() => open(true)}>
          Watch the expert play
        </button>{" "}
        <a href={linkTo(["environments"])}>Choose a task</a>
      </p>
      {error.value !== null && <Failure error={error.value} />}
    </div>
  );
}

async function create(): Promise<string> {
  const { environments } = await api.environments();
  const playable = environments.filter(({ available }) => available);
  const chosen = samples.flatMap((id) => playable.find((environment) => environment.id === id) ?? [])[0] ?? playable[0];
  if (!chosen) throw new CallError("ENVIRONMENT_UNAVAILABLE", "This machine can run none of the gym's environments.");
  return (await api.create({ environment: nameOf(chosen), task: { index: 0 }, seed: 0 })).episodeId;
}

function nameOf({ id, version }: Environment): string {
  return `${id}@${version}`;
}

/** Plays the expert's actions while the page of the episode is open. Callers without the right to ask it play by hand. */
async function watchExpert(episodeId: string): Promise<void> {
  goTo(linkTo(["episodes", episodeId]));
  for (;;) {
    const { index, action } = await api.expert(episodeId);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (action === null || place.value.path[1] !== episodeId) return;
    const { terminated, truncated } = await api.step(episodeId, index, action);
    if (terminated || truncated) return;
  }
}
