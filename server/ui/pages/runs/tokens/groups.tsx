/** The groups of a train step: their rollouts, of which two can be compared, and the tokens of one. */
import { useSignal } from "@preact/signals";
import { api, type TrainStepGroups } from "../../../api.js";
import { shortNumber } from "../../../numbers.js";
import { Loaded } from "../../../parts/loaded.js";
import { Scroll } from "../../../parts/scroll.js";
import { Inline } from "../../../parts/text.js";
import { readableLine } from "../../../parts/visible-text.js";
import { goTo, linkTo, place } from "../../../route.js";
import { Tokens } from "./tokens.js";

/** Rollouts of one group that are chosen for a comparison, at most two. */
interface Chosen {
  readonly group: string;
  readonly rollouts: readonly number[];
}

/** Returns the choice after a change. Rollouts of other groups, and the earlier of two, are no longer chosen. */
function choiceOf({ group, rollouts }: Chosen, changed: string, rollout: number, isChosen: boolean): Chosen {
  const others = group === changed ? rollouts.filter((other) => other !== rollout) : [];
  return { group: changed, rollouts: isChosen ? [...others.slice(-1), rollout] : others };
}

export function Groups({ run }: { run: string }) {
  const asked = place.value.query.get("step");
  return (
    <Loaded of={asked ?? "newest"} load={() => api.runGroups(run, asked === null ? undefined : Number(asked))}>
      {(reply) => <Step key={reply.step} run={run} reply={reply} />}
    </Loaded>
  );
}

function Step({ run, reply: { step, previous, next, groups } }: { run: string; reply: TrainStepGroups }) {
  const path = ["runs", run, "groups"];
  const { query } = place.value;
  const [group, rollout] = [query.get("group"), query.get("rollout")];
  const chosen = useSignal<Chosen>({ group: "", rollouts: [] });
  return (
    <>
      <p class="controls">
        {previous !== null && <a href={linkTo(path, { step: previous })}>step {previous}</a>}
        <strong>Train step {step}</strong>
        {next !== null && <a href={linkTo(path, { step: next })}>step {next}</a>}
        <CompareButton run={run} step={step} chosen={chosen.value} />
      </p>
      {group !== null && rollout !== null && (
        <Loaded of={`${step} ${group} ${rollout}`} load={() => api.runRollout(run, step, group, Number(rollout))}>
          {(logged) => <Tokens key={`${step} ${group} ${rollout}`} logged={logged} />}
        </Loaded>
      )}
      <Scroll label={`Groups of train step ${step}`} class="card">
        <table>
          <thead>
            <tr>
              {["task", "rollout", "status"].map((name) => (
                <th key={name}>{name}</th>
              ))}
              {["return", "advantage", "steps", "tokens", "sampled"].map((name) => (
                <th key={name} class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.flatMap(({ group: id, task, leftOut, rollouts }) =>
              rollouts.map((one, index) => (
                <tr key={`${id} ${index}`} aria-current={id === group && `${index}` === rollout ? "true" : undefined}>
                  <td>
                    {index === 0 && <Inline text={`${task.environment} ${task.split}:${task.index}`} most={120} />}{" "}
                    {index === 0 && leftOut !== null && (
                      <span class="badge">
                        <Inline text={leftOut} most={60} />
                      </span>
                    )}
                  </td>
                  <td>
                    <input
                      type="checkbox"
                      aria-label={`Compare rollout ${index + 1} of ${readableLine(`${task.split}:${task.index}`, 80)}`}
                      checked={chosen.value.group === id && chosen.value.rollouts.includes(index)}
                      onChange={({ currentTarget }) => {
                        chosen.value = choiceOf(chosen.value, id, index, currentTarget.checked);
                      }}
                    />{" "}
                    <a href={linkTo(path, { step, group: id, rollout: index })}>rollout {index + 1}</a>
                    {one.seat !== undefined && (
                      <>
                        {" "}
                        <span class="badge">
                          <Inline text={one.seat} most={60} />
                        </span>
                      </>
                    )}
                  </td>
                  <td>
                    <span class={`badge ${one.solved ? "good" : ""}`}>{one.solved ? "solved" : one.status}</span>
                  </td>
                  {[one.return, one.advantage, one.steps, one.tokens, one.sampledTokens].map((value, column) => (
                    <td key={column} class="number">
                      {shortNumber(value)}
                    </td>
                  ))}
                </tr>
              )),
            )}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

function CompareButton({ run, step, chosen: { group, rollouts } }: { run: string; step: number; chosen: Chosen }) {
  const [left = 0, right] = [...rollouts].sort((a, b) => a - b);
  return (
    <button
      type="button"
      disabled={right === undefined}
      onClick={() => goTo(linkTo(["compare"], { run, step, group, left, right }))}
    >
      {right === undefined
        ? "Choose two rollouts of a group to compare"
        : `Compare rollouts ${left + 1} and ${right + 1}`}
    </button>
  );
}
