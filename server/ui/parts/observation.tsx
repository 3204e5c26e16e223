/** An observation: text, pictures and JSON. All of it is untrusted, so it is only ever text or the source of an image. */
import type { Part } from "../api.js";
import { Text } from "./text.js";

export function Observation({ text, parts = [] }: { text: string; parts?: readonly Part[] | undefined }) {
  return (
    <div class="observation">
      <Text text={text} />
      {parts.map((part, i) =>
        part.type === "image" ? (
          <Picture key={i} mediaType={part.mediaType} data={part.data} label={`picture ${i + 1} of the observation`} />
        ) : (
          <details key={i}>
            <summary>JSON</summary>
            <Text text={JSON.stringify(part.data, null, 2)} />
          </details>
        ),
      )}
    </div>
  );
}

/** Pictures of fewer pixels a side, such as those of grid worlds, are enlarged with sharp edges. */
const fewPixels = 400;

/** An SVG in an image runs no scripts and loads nothing. @param data base64 */
export function Picture({ mediaType, data, label }: { mediaType: string; data: string; label: string }) {
  return (
    <img
      class="picture"
      src={`data:${mediaType};base64,${data}`}
      alt={label}
      onLoad={({ currentTarget }) => currentTarget.classList.toggle("sharp", currentTarget.naturalWidth < fewPixels)}
    />
  );
}
