/** Questions that the environment answers without using up a step. */
import { useSignal } from "@preact/signals";
import { api, type Environment } from "../../api.js";
import { Failure } from "../../parts/loaded.js";
import { Text } from "../../parts/text.js";
import { readableLine } from "../../parts/visible-text.js";
import type { Transcript } from "./transcript.js";

interface Props {
  transcript: Transcript;
  queries: Environment["queries"];
}

export function Queries({ transcript, queries }: Props) {
  const answer = useSignal<{ name: string; text: string } | null>(null);
  const error = useSignal<unknown>(null);
  const names = Object.keys(queries);
  if (names.length === 0) return null;
  const ask = async (name: string) => {
    error.value = null;
    try {
      const reply = await api.query(transcript.episode.value.episodeId, name);
      answer.value = { name, text: answerText(reply.answer) };
    } catch (reason) {
      answer.value = null;
      error.value = reason;
    }
  };
  return (
    <section class="queries" aria-label="Queries">
      <h2>Queries</h2>
      <div class="toolbar">
        {names.map((name) => (
          <button
            key={name}
            type="button"
            title={readableLine(queries[name]?.summary ?? "")}
            aria-pressed={answer.value?.name === name}
            onClick={() => ask(name)}
          >
            {readableLine(name, 60)}
          </button>
        ))}
      </div>
      {error.value !== null && <Failure error={error.value} />}
      {answer.value && (
        <div class="observation" role="status">
          <Text text={answer.value.text} />
        </div>
      )}
    </section>
  );
}

function answerText(answer: unknown): string {
  if (typeof answer === "string") return answer;
  const isLines = Array.isArray(answer) && answer.every((entry) => typeof entry === "string");
  return isLines ? answer.join("\n") : JSON.stringify(answer, null, 2);
}
