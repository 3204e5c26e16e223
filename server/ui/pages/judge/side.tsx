/** One episode of a pair. Its name, rewards and end are hidden until the choice is made. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, type Step } from "../../api.js";
import { shortNumber } from "../../numbers.js";
import { Failure } from "../../parts/loaded.js";
import { Observation } from "../../parts/observation.js";
import { Text } from "../../parts/text.js";
import { linkTo } from "../../route.js";

const pageSize = 50;

interface Props {
  name: string;
  id: string;
  isRevealed: boolean;
  isChosen: boolean;
}

export function Side({ name, id, isRevealed, isChosen }: Props) {
  const steps = useSignal<readonly Step[]>([]);
  const next = useSignal<number | null>(0);
  const error = useSignal<unknown>(null);
  const load = async () => {
    const from = next.value;
    if (from === null) return;
    try {
      const page = await api.steps(id, from, pageSize);
      steps.value = [...steps.value, ...page.steps];
      next.value = page.next;
    } catch (reason) {
      error.value = reason;
    }
  };
  useEffect(() => void load(), [id]);
  return (
    <section class={isChosen ? "judge-side chosen" : "judge-side"} aria-label={name}>
      <header>
        <h2>{name}</h2>
        {isRevealed && <Outcome id={id} />}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard */}
      <ol class="judge-steps" tabIndex={0} aria-label={`Steps of the ${name.toLowerCase()} episode`}>
        {steps.value.map(({ index, action, observation, parts, reward }) => (
          <li key={index}>
            <div class="judge-action">
              <span class="quiet number">{index + 1}</span>
              <Text text={action} most={2_000} />
              {isRevealed && reward !== 0 && <span class="badge">{shortNumber(reward)}</span>}
            </div>
            <Observation text={observation} parts={parts} />
          </li>
        ))}
      </ol>
      {error.value !== null && <Failure error={error.value} />}
      {steps.value.length > 0 && next.value !== null && (
        <button type="button" onClick={load}>
          More steps
        </button>
      )}
    </section>
  );
}

/** Reads what a step reply does not tell: the return and the end of the whole episode. */
function Outcome({ id }: { id: string }) {
  const outcome = useSignal("");
  useEffect(() => {
    outcomeOf(id).then(
      (text) => {
        outcome.value = text;
      },
      () => {
        outcome.value = "";
      },
    );
  }, [id]);
  return (
    <p class="quiet">
      {outcome.value !== "" && <strong>{outcome.value}</strong>}{" "}
      <a class="id" href={linkTo(["episodes", id])}>
        {id}
      </a>
    </p>
  );
}

async function outcomeOf(id: string): Promise<string> {
  const { terminated, truncated } = await api.episode(id);
  let sum = 0;
  for (let from: number | null = 0; from !== null; ) {
    const page: Awaited<ReturnType<typeof api.steps>> = await api.steps(id, from, 1_000);
    for (const { reward } of page.steps) sum += reward;
    from = page.next;
  }
  return `return ${shortNumber(sum)}${terminated ? " · terminated" : truncated ? " · truncated" : ""}`;
}
