/** The facts of a step that the agent does not see: a table of plain values, and all of it as JSON. */
import { signal } from "@preact/signals";
import { Inline, Text } from "../../parts/text.js";

interface Props {
  info: Record<string, unknown>;
  text: string;
  words: string;
  match: number | undefined;
}

/** Whether the infos are open, for all steps. */
const isOpen = signal(true);
const mostRows = 40;
const longestValue = 400;

export function Info({ info, text, words, match }: Props) {
  const names = Object.keys(info);
  if (names.length === 0) return null;
  const plain = names.filter((name) => isPlain(info[name])).slice(0, mostRows);
  const isComplete = plain.length === names.length;
  return (
    <details
      class="info"
      open={isOpen.value || match !== undefined}
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>Info</summary>
      {words === "" && plain.length > 0 && (
        <dl class="pairs">
          {plain.map((name) => (
            <div key={name}>
              <dt>
                <Inline text={name} />
              </dt>
              <dd>
                <Inline text={String(info[name])} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {Array.isArray(info.changes) && <Changes changes={info.changes} />}
      {(!isComplete || words !== "") && <Text text={text} words={words} match={match} />}
    </details>
  );
}

/** What an episode changed outside, such as on a web site. */
function Changes({ changes }: { changes: unknown[] }) {
  return (
    <section class="changes">
      <h3>Changed so far: {changes.length}</h3>
      <ol>
        {changes.slice(0, mostRows).map((change, i) => (
          <li key={i}>
            <Inline text={typeof change === "string" ? change : JSON.stringify(change)} most={longestValue} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function isPlain(value: unknown): boolean {
  if (typeof value === "string") return value.length <= longestValue && !value.includes("\n");
  return value === null || typeof value === "number" || typeof value === "boolean";
}
