/** The transcript of an episode of an evaluation. Its texts are untrusted, so they are only ever text nodes. */
import { decimal } from "../../numbers.js";
import type { EpisodeRecord, Turn } from "./episode-source.js";
import { episodeName } from "./evaluation-results.js";

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
      <h2>{episodeName(played.split, played.index, sample, k)}</h2>
      <p class="quiet">{[family, status, `score ${decimal(score)}`].filter(Boolean).join(" · ")}</p>
      {failure && (
        <p class="failure">
          {failure.code} ({failure.class}): {failure.message}
        </p>
      )}
      {prompt !== undefined && (
        <details>
          <summary>Instructions</summary>
          <pre dir="ltr">{prompt}</pre>
        </details>
      )}
      <pre dir="ltr" class="seen">
        <Marked text={opening} words={words} />
      </pre>
      <ol class="turns">
        {turns.map((turn, index) => (
          <TurnView key={index} number={index + 1} turn={turn} words={words} />
        ))}
      </ol>
    </>
  );
}

function TurnView({ number, turn, words }: { number: number; turn: Turn; words: readonly string[] }) {
  const { reply, action, observation, reward } = turn;
  const sent = action === undefined ? "no action was sent" : action === reply ? "" : `sent: ${action}`;
  const aside = [sent, reward === 0 ? "" : `reward ${decimal(reward, 3)}`].filter(Boolean).join(" · ");
  return (
    <li>
      <span class="quiet turn-number">{number}</span>
      <pre dir="ltr" class="wrote">
        <Marked text={reply} words={words} />
      </pre>
      {aside !== "" && <p class="quiet aside">{aside}</p>}
      <pre dir="ltr" class="seen">
        <Marked text={observation} words={words} />
      </pre>
    </li>
  );
}

/** Text with words marked, in any case of letters. */
export function Marked({ text, words }: { text: string; words: readonly string[] }) {
  const lower = text.toLowerCase();
  // If the lower-case text has another length, its positions do not fit.
  if (words.length === 0 || lower.length !== text.length) return <>{text}</>;
  const parts: preact.ComponentChild[] = [];
  let from = 0;
  for (;;) {
    let [start, end] = [-1, -1];
    for (const word of words) {
      const at = lower.indexOf(word, from);
      if (at >= 0 && (start < 0 || at < start)) [start, end] = [at, at + word.length];
    }
    if (start < 0) break;
    parts.push(text.slice(from, start), <mark key={start}>{text.slice(start, end)}</mark>);
    from = end;
  }
  return (
    <>
      {parts}
      {text.slice(from)}
    </>
  );
}
