/** The environment's picture of its present state, beside the newest step of a running episode. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api } from "../../api.js";
import { Picture } from "../../parts/observation.js";
import type { Transcript } from "./transcript.js";

export function LivePicture({ transcript, at }: { transcript: Transcript; at: number }) {
  const { episode, environment, isOver, steps, isStored } = transcript;
  const picture = useSignal<{ at: number; mediaType: string; data: string } | null>(null);
  const last = steps.value.at(-1);
  // The state of an episode arrives after its last step, and an ended episode has no picture.
  const hasEnded = isOver.value || last?.terminated || last?.truncated;
  const isNewest = at === steps.value.length && at === episode.value.index && !hasEnded;
  const isWanted = !isStored && isNewest && environment.value?.rendersPictures === true;
  useEffect(() => {
    if (!isWanted) return;
    api.picture(episode.value.episodeId).then(
      ({ index, picture: { mediaType, data } }) => {
        picture.value = { at: index, mediaType, data };
      },
      () => {
        // The text of the step is complete without a picture.
      },
    );
  }, [isWanted, at]);
  if (!isWanted || !picture.value) return null;
  return <Picture mediaType={picture.value.mediaType} data={picture.value.data} label="Picture of the present state" />;
}
