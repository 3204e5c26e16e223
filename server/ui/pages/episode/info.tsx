/** The facts of a step that the agent does not see: plain values, changes, verdicts, printed texts, and the rest as JSON. */
import { signal } from "@preact/signals";
import { Inline, Text } from "../../parts/text.js";
import { areVerdicts, Changes, Verdicts } from "./changes.js";

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
  if (Object.keys(info).length === 0) return null;
  return (
    <details
      class="info"
      open={isOpen.value || match !== undefined}
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>Info</summary>
      {words === "" ? <Fields info={info} /> : <Text text={text} words={words} match={match} />}
    </details>
  );
}

function Fields({ info: { changes, verdicts, ...others } }: { info: Record<string, unknown> }) {
  const rest = Object.fromEntries(Object.entries(others).flatMap(flattened));
  if (!Array.isArray(changes) && changes !== undefined) rest.changes = changes;
  if (!areVerdicts(verdicts) && verdicts !== undefined) rest.verdicts = verdicts;
  const plain = take(rest, isPlain);
  const texts = take(rest, (value) => typeof value === "string");
  return (
    <>
      {plain.length > 0 && (
        <dl class="pairs">
          {plain.slice(0, mostRows).map(([name, value]) => (
            <div key={name}>
              <dt>
                <Inline text={name} />
              </dt>
              <dd>
                <Inline text={String(value)} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {areVerdicts(verdicts) && <Verdicts verdicts={verdicts} />}
      {Array.isArray(changes) && changes.length > 0 && <Changes changes={changes} />}
      {texts.map(([name, value]) => (
        <section key={name} class="printed">
          <h3>
            <Inline text={name} most={200} />
          </h3>
          <Text text={value as string} />
        </section>
      ))}
      {Object.keys(rest).length > 0 && (
        <div class="printed">
          <Text text={JSON.stringify(rest, null, 2)} />
        </div>
      )}
    </>
  );
}

/** Returns the plain values of an object, such as those of `rewards`, as fields of their own: `rewards.reward`. */
function flattened([name, value]: [string, unknown]): [string, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [[name, value]];
  const fields = Object.entries(value);
  if (fields.length === 0 || !fields.every(([, each]) => isPlain(each))) return [[name, value]];
  return fields.map(([each, plain]) => [`${name}.${each}`, plain]);
}

/** Removes the fields whose value passes a test, and returns them. */
function take(fields: Record<string, unknown>, passes: (value: unknown) => boolean): [string, unknown][] {
  const taken = Object.entries(fields).filter(([, value]) => passes(value));
  for (const [name] of taken) delete fields[name];
  return taken;
}

function isPlain(value: unknown): boolean {
  if (typeof value === "string") return value.length <= longestValue && !value.includes("\n");
  return value === null || typeof value === "number" || typeof value === "boolean";
}
