/** Episodes as JSON: the facts, the reset result and all steps. The studio's page for reports reads the same format. */
import { stepText } from "../replies.js";
import type { ExportedEpisode } from "./episode.js";

export async function* jsonOf(episode: ExportedEpisode): AsyncGenerator<string> {
  yield `{"kind":"episode","episode":${JSON.stringify(episode.facts)},"opening":${episode.opening},"steps":[`;
  let isFirst = true;
  for await (const step of episode.logged()) {
    yield `${isFirst ? "" : ","}${stepText(step)}`;
    isFirst = false;
  }
  yield "]}";
}
