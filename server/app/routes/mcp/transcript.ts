import { promptOfEpisode } from "../../../adapter/play.js";
import type { Episode } from "../../../episodes/episode/episode.js";
import { parseResult, readResetResult } from "../../../episodes/episode/results.js";
import type { Gym } from "../../../episodes/gym.js";

const stepsPerPage = 100;
/** Characters of a transcript from which on the remaining steps are left out. */
const longest = 400_000;

/** Returns the actions and observations of an episode as Markdown, without rewards. @throws {GymError} */
export async function transcriptOf(gym: Gym, episode: Episode): Promise<string> {
  const { row, steps } = episode;
  const { observation } = parseResult(await readResetResult(gym.log, row));
  const parts = [
    `# ${row.environment} ${row.split}:${row.taskIndex}`,
    promptOfEpisode(episode),
    "## Start",
    quoted(observation),
  ];
  let [characters, index] = [0, 0];
  while (index < steps && characters < longest) {
    const page = await gym.reader.readPage(episode, index, Math.min(stepsPerPage, steps - index));
    if (page.length === 0) break;
    for (const { action, reply } of page) {
      const step = [`## Step ${index}`, quoted(action), quoted(parseResult(reply).observation)];
      characters += step.reduce((sum, { length }) => sum + length, 0);
      parts.push(...step);
      index += 1;
    }
  }
  if (index < steps) parts.push(`${steps - index} more steps`);
  return `${parts.join("\n\n")}\n`;
}

/** Quotes text, so that its own headings and lists are not those of the transcript. */
function quoted(content: string): string {
  return content.replace(/^/gm, "> ");
}
