/** The transcript of an episode of an evaluation. Its texts are untrusted, so they are only ever text nodes. */
import { failureNames } from "../../../../formats/outcomes/failure.js";
import { failureOfRecord } from "../../../../formats/outcomes/record-failure.js";
import { counted, decimal, shortNumber } from "../../../numbers.js";
import { Inline, Text } from "../../../parts/text.js";
import type { EpisodeRecord, Turn } from "./episode-source.js";
import { episodeName } from "./evaluation-results.js";

/** Characters of an observation or a reply that are shown at first. */
const mostOfTurn = 10_000;

interface Props {
  record: EpisodeRecord;
  k: number;
  /** Words of the search, which are marked. */
  words: readonly string[];
  /** Instructions of the environment, the same for each episode. */
  prompt?: string | undefined;
}

export function EpisodeTranscript({ record, k, words, prompt }: Props) {
  const { played, sample, family, status, score, failure, opening, turns } = record;
  return (
    <>
      <h2>
        <Inline text={episodeName(played.split, played.index, sample, k)} most={200} />
      </h2>
      <p class="quiet">
        <Inline text={[family, status, `score ${decimal(score)}`].filter(Boolean).join(" · ")} most={200} />
      </p>
      <KindOfFailure record={record} />
      {failure && (
        <p class="failure">
          <Inline text={`${failure.code} (${failure.class}): ${failure.message}`} />
        </p>
      )}
      {prompt !== undefined && (
        <details>
          <summary>Instructions</summary>
          <Text text={prompt} />
        </details>
      )}
      <div class="seen">
        <Text text={opening} words={words} most={mostOfTurn} />
      </div>
      <ol class="turns">
        {turns.map((turn, index) => (
          <TurnView key={index} number={index + 1} turn={turn} words={words} />
        ))}
      </ol>
    </>
  );
}

/** The kind of failure, with the turns that show it. */
function KindOfFailure({ record }: { record: EpisodeRecord }) {
  const found = failureOfRecord(record);
  if (!found) return null;
  const { kind, firstStep, steps = 0 } = found;
  const where = firstStep === undefined ? "" : ` in ${counted(steps, "turn")}, from turn ${firstStep} on`;
  return (
    <p>
      <span class="badge bad">{failureNames[kind]}</span> {where}
    </p>
  );
}

function TurnView({ number, turn, words }: { number: number; turn: Turn; words: readonly string[] }) {
  const { reply, action, observation, reward } = turn;
  const sent = action === undefined ? "no action was sent" : action === reply ? "" : `sent: ${action}`;
  const aside = [sent, reward === 0 ? "" : `reward ${shortNumber(reward)}`].filter(Boolean).join(" · ");
  return (
    <li>
      <span class="quiet turn-number">{number}</span>
      <div class="wrote">
        <Text text={reply} words={words} most={mostOfTurn} />
      </div>
      {aside !== "" && (
        <p class="quiet aside">
          <Inline text={aside} />
        </p>
      )}
      <div class="seen">
        <Text text={observation} words={words} most={mostOfTurn} />
      </div>
    </li>
  );
}
