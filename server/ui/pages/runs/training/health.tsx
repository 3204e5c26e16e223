/** The health of a training run: what was checked, and for each finding its cause and the settings that change it. */
import type { Finding } from "../../../api.js";
import { counted } from "../../../numbers.js";
import { Inline } from "../../../parts/text.js";
import "./health.css";

type Level = Finding["level"];

export function Health({ findings, steps }: { findings: readonly Finding[]; steps: number }) {
  if (findings.length === 0) {
    if (steps === 0) return null;
    return <p class="quiet">The run's health is judged from the third train step on.</p>;
  }
  const found = findings.filter(({ level }) => level !== "green");
  const green = findings.filter(({ level }) => level === "green");
  const isAllGreen = found.length === 0;
  return (
    <section class="health" aria-label="Health of the run">
      <ul class="checks" aria-label="Checks">
        {findings.map(({ check, level }) => (
          <li key={check}>
            <Light level={level} text={check} />
          </li>
        ))}
      </ul>
      <Findings findings={found} />
      {green.length > 0 && (
        <details>
          <summary>{isAllGreen ? "All checks are green" : counted(green.length, "green check")}</summary>
          <Findings findings={green} />
        </details>
      )}
    </section>
  );
}

function Findings({ findings }: { findings: readonly Finding[] }) {
  return (
    <ul class="findings">
      {findings.map(({ check, level, cause, change }) => (
        <li key={check}>
          <b class={level}>{check}</b> <Inline text={cause} />{" "}
          {change !== null && (
            <span class="change">
              <Change text={change} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A text with names of settings in backquotes. */
function Change({ text }: { text: string }) {
  return (
    <>
      {text
        .split("`")
        .map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : <Inline key={at} text={part} />))}
    </>
  );
}

/** Signs of the levels, which are not told apart by colour alone. */
const signs: Readonly<Record<Level, string>> = { green: "✓", amber: "!", red: "✕" };

function Light({ level, text }: { level: Level; text: string }) {
  return (
    <span class={`light ${level}`}>
      <i aria-hidden="true">{signs[level]}</i> {text}
      {text !== level && <span class="unseen">: {level}</span>}
    </span>
  );
}

/** The small form of a run's health, for lists. */
export function HealthMark({ health }: { health: { level: Level; cause: string } | null }) {
  if (health === null) return <span class="quiet">–</span>;
  return (
    <span title={health.cause}>
      <Light level={health.level} text={health.level} />
    </span>
  );
}
