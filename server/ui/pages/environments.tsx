/** The gym's environments: which ones this machine can run, and what the others lack. */
import { useSignal } from "@preact/signals";
import { api, type Environment } from "../api.js";
import { countText } from "../numbers.js";
import { Loaded } from "../parts/loaded.js";
import { Inline } from "../parts/text.js";
import { linkTo } from "../route.js";
import "../parts/filters.css";
import "./environments.css";

export function Environments() {
  return (
    <section class="page">
      <h1>Environments</h1>
      <Loaded of="" load={api.environments}>
        {({ environments }) => <EnvironmentTable environments={environments} />}
      </Loaded>
    </section>
  );
}

export function nameOf({ id, version }: Environment): string {
  return `${id}@${version}`;
}

function EnvironmentTable({ environments }: { environments: readonly Environment[] }) {
  const words = useSignal("");
  const wanted = words.value.toLowerCase();
  const found = environments.filter((each) => `${nameOf(each)} ${each.summary}`.toLowerCase().includes(wanted));
  return (
    <>
      <search class="filters">
        <input
          type="search"
          aria-label="Search environments"
          placeholder="Search environments"
          value={words.value}
          onInput={({ currentTarget }) => {
            words.value = currentTarget.value;
          }}
        />
        <span class="quiet" role="status">
          {found.length} of {environments.length}
        </span>
      </search>
      <ul class="environments">
        {found.map((environment) => (
          <Row key={nameOf(environment)} environment={environment} />
        ))}
      </ul>
    </>
  );
}

function Row({ environment }: { environment: Environment }) {
  const { summary, splits, available, requirements, hasExpert, rendersPictures, maxSteps } = environment;
  const missing = requirements.filter((requirement) => !requirement.available);
  const names = Object.keys(splits);
  return (
    <li>
      <p class="name">
        <a href={linkTo(["environments", nameOf(environment)])}>
          <Inline text={nameOf(environment)} />
        </a>
        <span class={available ? "badge good" : "badge bad"}>{available ? "ready" : "not available"}</span>
        {hasExpert && <span class="badge">expert</span>}
        {rendersPictures && <span class="badge">pictures</span>}
      </p>
      <p>
        <Inline text={summary} most={600} />
      </p>
      <p class="quiet">
        <Inline text={names.slice(0, 6).join(", ")} most={300} />
        {names.length > 6 && ` and ${names.length - 6} more splits`}, at most {countText(maxSteps)} steps
      </p>
      {missing.map(({ name, howToGet }) => (
        <p key={name} class="missing">
          lacks <Inline text={name} />: <Inline text={howToGet} most={600} />
        </p>
      ))}
    </li>
  );
}
