/** An environment: what it is and needs, its prompt and tools, and its tasks, each of which can be started. */
import { api, type Environment, type Tool } from "../api.js";
import { countText } from "../numbers.js";
import { Loaded } from "../parts/loaded.js";
import { Inline, Text } from "../parts/text.js";
import { readableLine } from "../parts/visible-text.js";
import { goTo, linkTo, place } from "../route.js";
import { Tasks } from "./tasks.js";
import "./environments.css";

export function EnvironmentPage({ name }: { name: string }) {
  return (
    <section class="page">
      <h1>
        <Inline text={name} most={200} />
      </h1>
      <Loaded of={name} load={() => api.environment(name)}>
        {(environment) => <Details name={name} environment={environment} />}
      </Loaded>
    </section>
  );
}

function Details({ name, environment }: { name: string; environment: Environment }) {
  const { summary, prompt, tools, splits, defaultSplit, options } = environment;
  const asked = place.value.query.get("split");
  const split = asked !== null && Object.hasOwn(splits, asked) ? asked : defaultSplit;
  return (
    <>
      <p>
        <Inline text={summary} most={2_000} />
      </p>
      <Facts environment={environment} />
      <Requirements environment={environment} />
      <details>
        <summary>Prompt</summary>
        <Text text={prompt} />
      </details>
      {tools.length > 0 && (
        <details>
          <summary>Tools ({tools.length})</summary>
          <ToolList tools={tools} />
        </details>
      )}
      <h2>Tasks</h2>
      <div class="start-form">
        <div>
          <label for="split">split</label>
          <select
            id="split"
            value={split}
            onChange={({ currentTarget }) => goTo(linkTo(["environments", name], { split: currentTarget.value }))}
          >
            {Object.entries(splits).map(([each, { size }]) => (
              <option key={each} value={each}>
                {readableLine(each, 60)} ({size > 1e9 ? "a task for each seed" : countText(size)})
              </option>
            ))}
          </select>
        </div>
      </div>
      <p class="quiet">
        <Inline text={splits[split]?.summary ?? ""} />
      </p>
      <Tasks
        key={`${name} ${split} ${place.value.query.get("text")}`}
        name={name}
        split={split}
        options={options}
        defaults={splits[split]?.options ?? {}}
        maxSteps={environment.maxSteps}
      />
    </>
  );
}

function Facts({ environment }: { environment: Environment }) {
  const { maxSteps, rewardRange, restore, hasExpert, hasVerifier, rendersPictures, queries, available } = environment;
  const names = Object.keys(queries);
  return (
    <p class="facts quiet">
      <span class={available ? "badge good" : "badge bad"}>{available ? "ready" : "not available"}</span>
      <span>at most {countText(maxSteps)} steps</span>
      <span>
        rewards from {rewardRange[0]} to {rewardRange[1]}
      </span>
      <span>{restore === "none" ? "cannot be replayed or forked" : "can be replayed and forked"}</span>
      {hasExpert && <span>has an expert</span>}
      {hasVerifier && <span>scores answers</span>}
      {rendersPictures && <span>has pictures</span>}
      {names.length > 0 && (
        <span>
          queries <Inline text={names.join(", ")} most={300} />
        </span>
      )}
    </p>
  );
}

function Requirements({ environment: { requirements } }: { environment: Environment }) {
  if (requirements.length === 0) return null;
  return (
    <ul class="environments" aria-label="Requirements">
      {requirements.map(({ name, available, detail, howToGet }) => (
        <li key={name}>
          <span class={available ? "badge good" : "badge bad"}>{available ? "has" : "lacks"}</span>{" "}
          <Inline text={name} /> <span class="quiet">{detail !== "" && <Inline text={detail} most={600} />}</span>
          {!available && (
            <p class="missing">
              <Inline text={howToGet} most={1_000} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function ToolList({ tools }: { tools: readonly Tool[] }) {
  return (
    <dl>
      {tools.map(({ name, description, action, parameters }) => (
        <div key={name} class="tool-schema">
          <dt>
            <code>
              <Inline text={name} />
            </code>
          </dt>
          <dd>
            <Text text={description} most={1_000} />
            <p class="quiet">
              action <code>{<Inline text={action} most={400} />}</code>
            </p>
            <details>
              <summary>Schema of {readableLine(name, 60)}</summary>
              <Text text={JSON.stringify(parameters, null, 2)} />
            </details>
          </dd>
        </div>
      ))}
    </dl>
  );
}
