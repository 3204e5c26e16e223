/** The groups of a train step: their rollouts, and the tokens of one. */
import { api, type TrainStepGroups } from "../../../api.js";
import { shortNumber } from "../../../numbers.js";
import { Loaded } from "../../../parts/loaded.js";
import { Scroll } from "../../../parts/scroll.js";
import { Inline } from "../../../parts/text.js";
import { linkTo, place } from "../../../route.js";
import { Tokens } from "./tokens.js";

export function Groups({ run }: { run: string }) {
  const asked = place.value.query.get("step");
  return (
    <Loaded of={asked ?? "newest"} load={() => api.runGroups(run, asked === null ? undefined : Number(asked))}>
      {(reply) => <Step run={run} reply={reply} />}
    </Loaded>
  );
}

function Step({ run, reply: { step, previous, next, groups } }: { run: string; reply: TrainStepGroups }) {
  const path = ["runs", run, "groups"];
  const { query } = place.value;
  const [group, rollout] = [query.get("group"), query.get("rollout")];
  return (
    <>
      <p class="controls">
        {previous !== null && <a href={linkTo(path, { step: previous })}>step {previous}</a>}
        <strong>Train step {step}</strong>
        {next !== null && <a href={linkTo(path, { step: next })}>step {next}</a>}
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
                    <a href={linkTo(path, { step, group: id, rollout: index })}>rollout {index + 1}</a>
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
