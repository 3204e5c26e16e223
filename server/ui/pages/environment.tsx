/** An environment: its splits, tasks, prompt and tools. Each task can be started. */
import { useSignal } from "@preact/signals";
import { api, type Environment } from "../api.js";
import { Failure, Loaded } from "../parts/loaded.js";
import { goTo, linkTo, place } from "../route.js";

const pageSize = 50;

export function EnvironmentPage({ name }: { name: string }) {
  return (
    <section class="page">
      <h1>{name}</h1>
      <Loaded of={name} load={() => api.environment(name)}>
        {(environment) => <Details name={name} environment={environment} />}
      </Loaded>
    </section>
  );
}

function Details({ name, environment }: { name: string; environment: Environment }) {
  const { summary, prompt, tools, splits, defaultSplit, maxSteps, rewardRange } = environment;
  const split = place.value.query.get("split") ?? defaultSplit;
  const from = Number(place.value.query.get("from") ?? 0);
  return (
    <>
      <p>{summary}</p>
      <p class="quiet">
        at most {maxSteps} steps, rewards from {rewardRange[0]} to {rewardRange[1]}
      </p>
      <details>
        <summary>Prompt</summary>
        <pre>{prompt}</pre>
      </details>
      {tools.length > 0 && (
        <details>
          <summary>Tools ({tools.length})</summary>
          <dl>
            {tools.map((tool) => (
              <div key={tool.name}>
                <dt>
                  <code>{tool.name}</code>
                </dt>
                <dd>{tool.description}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      <h2>Tasks</h2>
      <label>
        split{" "}
        <select
          value={split}
          onChange={({ currentTarget }) => goTo(linkTo(["environments", name], { split: currentTarget.value }))}
        >
          {Object.entries(splits).map(([each, { size }]) => (
            <option key={each} value={each}>
              {each} ({size > 1e9 ? "a task for each seed" : size})
            </option>
          ))}
        </select>
      </label>
      <p class="quiet">{splits[split]?.summary}</p>
      <Tasks name={name} split={split} from={from} />
    </>
  );
}

function Tasks({ name, split, from }: { name: string; split: string; from: number }) {
  const error = useSignal<unknown>(null);
  const start = async (index: number) => {
    try {
      const { episodeId } = await api.create({ environment: name, task: { split, index }, seed: 0, options: {} });
      goTo(linkTo(["episodes", episodeId]));
    } catch (reason) {
      error.value = reason;
    }
  };
  return (
    <>
      {error.value !== null && <Failure error={error.value} />}
      <Loaded of={`${split} ${from}`} load={() => api.tasks(name, { split, from, limit: pageSize })}>
        {({ tasks, next }) => (
          <>
            <ol class="tasks" start={from}>
              {tasks.map(({ index, title }) => (
                <li key={index} value={index}>
                  <button type="button" onClick={() => start(index)}>
                    Start
                  </button>{" "}
                  {title}
                </li>
              ))}
            </ol>
            <nav aria-label="Pages of tasks">
              {from > 0 && (
                <a href={linkTo(["environments", name], { split, from: Math.max(0, from - pageSize) })}>previous</a>
              )}{" "}
              {next !== null && <a href={linkTo(["environments", name], { split, from: next })}>next</a>}
            </nav>
          </>
        )}
      </Loaded>
    </>
  );
}
