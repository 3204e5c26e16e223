/** The pictures of an episode in a row. Each leads to its step. */
import type { Opening, Part } from "../../../api.js";
import { linkTo } from "../../../route.js";

interface Props {
  episodeId: string;
  opening: Opening;
  steps: readonly Opening[];
}

/** Pictures that are shown. Of a longer episode, those at equal distances are. */
const most = 60;

export function Filmstrip({ episodeId, opening, steps }: Props) {
  const pictures = [opening, ...steps].flatMap(({ parts = [] }, at) => {
    const image = parts.find((part): part is Extract<Part, { type: "image" }> => part.type === "image");
    return image ? [{ at, image }] : [];
  });
  if (pictures.length < 2) return null;
  const every = Math.ceil(pictures.length / most);
  const shown = pictures.filter((_, i) => i % every === 0 || i === pictures.length - 1);
  return (
    <ol class="filmstrip" aria-label="Pictures">
      {shown.map(({ at, image }) => (
        <li key={at}>
          <a href={linkTo(["episodes", episodeId], { step: at })}>
            <img src={`data:${image.mediaType};base64,${image.data}`} alt={`Step ${at}`} loading="lazy" />
            <span class="quiet">{at}</span>
          </a>
        </li>
      ))}
    </ol>
  );
}
