/** Pictures of the caller's live episodes. A picture is asked for again only after a step, so watching keeps no lease alive. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, type Now } from "../../api.js";
import { counted } from "../../numbers.js";
import { Picture } from "../../parts/observation.js";
import { Inline } from "../../parts/text.js";
import { linkTo } from "../../route.js";

export function LivePictures({ pictured }: { pictured: Now["pictured"] }) {
  return (
    <ul class="live-pictures" aria-label="Live pictures">
      {pictured.map((episode) => (
        <LiveEpisode key={episode.episodeId} {...episode} />
      ))}
    </ul>
  );
}

function LiveEpisode({ episodeId, environment, index }: Now["pictured"][number]) {
  const shown = useSignal<{ mediaType: string; data: string } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    api.picture(episodeId).then(
      ({ picture }) => {
        if (isCurrent) shown.value = picture;
      },
      () => {
        // The episode has ended meanwhile, and leaves the list soon.
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [episodeId, index]);
  return (
    <li>
      <a href={linkTo(["episodes", episodeId])}>
        <span class="frame">{shown.value && <Picture {...shown.value} label={`Picture of ${episodeId}`} />}</span>
        <Inline text={environment} most={60} /> <span class="quiet">{counted(index, "step")}</span>
      </a>
    </li>
  );
}
