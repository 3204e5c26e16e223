/** Lists the changes of a step outside of the episode, such as rows of a web site's tables, and the verdicts on an episode. */
import type { ComponentChildren } from "preact";
import { Inline } from "../../parts/text.js";

const mostRows = 40;
const longestValue = 400;

interface Change {
  table: string;
  id: string | number;
  before?: unknown;
  after?: unknown;
}

/** @param changes row of a table before and after the step; others are shown as JSON */
export function Changes({ changes }: { changes: readonly unknown[] }) {
  return (
    <section class="changes" aria-label="Changes">
      <h3>
        {changes.length} {changes.length === 1 ? "change" : "changes"} by this step
      </h3>
      <ol>
        {changes.slice(0, mostRows).map((change, i) => (
          <li key={i}>{isChange(change) ? <RowChange change={change} /> : <Inline text={textOf(change)} />}</li>
        ))}
      </ol>
      {changes.length > mostRows && <p class="quiet">and {changes.length - mostRows} more</p>}
    </section>
  );
}

function RowChange({ change: { table, id, before, after } }: { change: Change }) {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const kind = before == null ? "added" : after == null ? "removed" : "changed";
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((name) => textOf(old[name]) !== textOf(now[name]))
    .slice(0, mostRows);
  return (
    <>
      <p>
        <span class={`badge ${{ added: "good", removed: "bad", changed: "" }[kind]}`}>{kind}</span>{" "}
        <Inline text={`${table} ${id}`} most={120} />
      </p>
      <dl class="pairs">
        {names.map((name) => (
          <div key={name}>
            <dt>
              <Inline text={name} most={60} />
            </dt>
            <dd>
              {Object.hasOwn(old, name) && <Value tag="del" text={textOf(old[name])} />}
              {Object.hasOwn(old, name) && Object.hasOwn(now, name) && <span aria-hidden="true"> → </span>}
              {Object.hasOwn(now, name) && <Value tag="ins" text={textOf(now[name])} />}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Value({ tag: Tag, text }: { tag: "del" | "ins"; text: string }) {
  return <Tag>{text === "" ? <span class="quiet">empty</span> : <Inline text={text} most={longestValue} />}</Tag>;
}

/** @param verdicts of the evaluators of a task */
export function Verdicts({ verdicts }: { verdicts: readonly Verdict[] }) {
  return (
    <section class="verdicts" aria-label="Verdicts">
      <h3>Verdicts</h3>
      <ul>
        {verdicts.slice(0, mostRows).map(({ type, passed, reason }, i) => (
          <li key={i}>
            <Passed passed={passed}>{passed ? "passed" : "failed"}</Passed> <Inline text={type} most={60} />
            {typeof reason === "string" && (
              <span class="quiet">
                {" "}
                <Inline text={reason} most={longestValue} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Passed({ passed, children }: { passed: boolean; children: ComponentChildren }) {
  return <span class={passed ? "badge good" : "badge bad"}>{children}</span>;
}

export interface Verdict {
  readonly type: string;
  readonly passed: boolean;
  readonly reason?: unknown;
}

export function areVerdicts(value: unknown): value is Verdict[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((each) => typeof each?.type === "string" && typeof each.passed === "boolean")
  );
}

function isChange(value: unknown): value is Change {
  const { table, id } = Object(value) as Partial<Change>;
  return typeof table === "string" && (typeof id === "number" || typeof id === "string");
}

function fieldsOf(row: unknown): Record<string, unknown> {
  return typeof row === "object" && row !== null ? (row as Record<string, unknown>) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
