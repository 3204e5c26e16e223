/** The tasks of a split, with a search, and the settings of an episode that is started from one. */
import { useSignal } from "@preact/signals";
import { useEffect, useId, useMemo } from "preact/hooks";
import { api, type Environment } from "../api.js";
import { countText } from "../numbers.js";
import { Failure } from "../parts/loaded.js";
import { Inline } from "../parts/text.js";
import { readableLine } from "../parts/visible-text.js";
import { goTo, linkTo, place } from "../route.js";
import { TaskPages } from "./task-pages.js";

interface Props {
  name: string;
  split: string;
  options: Environment["options"];
  /** Values of options that the split has in place of the first ones. */
  defaults: Readonly<Record<string, string>>;
  maxSteps: number;
}

/** Milliseconds without typing before a search begins. */
const pauseMs = 250;

export function Tasks({ name, split, options, defaults, maxSteps }: Props) {
  const error = useSignal<unknown>(null);
  const asked = place.value.query.get("text") ?? "";
  const words = useSignal(asked);
  const searched = useSignal(asked);
  const settings = useSignal<Settings>({ seed: "0", maxSteps: "", options: {} });
  useEffect(() => {
    const timer = setTimeout(() => {
      searched.value = words.value.trim();
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [words.value]);
  const start = async (index: number) => {
    const { value } = settings;
    const body = { environment: name, task: { split, index }, seed: Number(value.seed) || 0, options: value.options };
    const limit = Number(value.maxSteps);
    try {
      const { episodeId } = await api.create(limit > 0 ? { ...body, maxSteps: limit } : body);
      goTo(linkTo(["episodes", episodeId]));
    } catch (reason) {
      error.value = reason;
    }
  };
  return (
    <>
      <SettingsForm settings={settings} options={options} defaults={defaults} maxSteps={maxSteps} />
      <search>
        <input
          type="search"
          aria-label="Search tasks"
          placeholder="Search tasks"
          value={words.value}
          onInput={({ currentTarget }) => {
            words.value = currentTarget.value;
          }}
        />
      </search>
      {error.value !== null && <Failure error={error.value} />}
      <TaskList key={searched.value} name={name} split={split} text={searched.value} onStart={start} />
    </>
  );
}

interface Settings {
  seed: string;
  /** Number of steps, or "" for the environment's own limit. */
  maxSteps: string;
  options: Record<string, string>;
}

interface SettingsProps extends Pick<Props, "options" | "defaults" | "maxSteps"> {
  settings: { value: Settings };
}

function SettingsForm({ settings, options, defaults, maxSteps }: SettingsProps) {
  const id = useId();
  const change = (changed: Partial<Settings>) => {
    settings.value = { ...settings.value, ...changed };
  };
  const { value } = settings;
  return (
    <fieldset class="start-form" aria-label="Settings of a new episode">
      <NumberField label="seed" value={value.seed} min={0} onValue={(seed) => change({ seed })} />
      <NumberField
        label="max steps"
        value={value.maxSteps}
        min={1}
        placeholder={String(maxSteps)}
        onValue={(given) => change({ maxSteps: given })}
      />
      {Object.entries(options).map(([option, { summary, values }], i) => (
        <div key={option} title={readableLine(summary)}>
          <label for={`${id}-${i}`}>{readableLine(option, 60)}</label>
          <select
            id={`${id}-${i}`}
            value={value.options[option] ?? defaults[option] ?? Object.keys(values)[0]}
            onChange={({ currentTarget }) => change({ options: { ...value.options, [option]: currentTarget.value } })}
          >
            {Object.entries(values).map(([each, about]) => (
              <option key={each} value={each} title={readableLine(about.summary)}>
                {readableLine(each, 60)}
              </option>
            ))}
          </select>
        </div>
      ))}
    </fieldset>
  );
}

interface NumberProps {
  label: string;
  value: string;
  min: number;
  placeholder?: string;
  onValue: (value: string) => void;
}

function NumberField({ label, value, min, placeholder, onValue }: NumberProps) {
  const id = useId();
  return (
    <div>
      <label for={id}>{label}</label>
      <input
        id={id}
        type="number"
        min={min}
        step={1}
        placeholder={placeholder}
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
    </div>
  );
}

interface ListProps {
  name: string;
  split: string;
  text: string;
  onStart: (index: number) => void;
}

function TaskList({ name, split, text, onStart }: ListProps) {
  const pages = useMemo(() => new TaskPages(name, split, text), []);
  useEffect(() => {
    pages.loadMore();
    return () => pages.stop();
  }, [pages]);
  const { tasks, isLoading, next, error } = pages;
  return (
    <>
      <ol class="tasks" aria-label="Tasks">
        {tasks.value.map(({ index, title }) => (
          <li key={index}>
            <button type="button" aria-label={`Start task ${index}`} onClick={() => onStart(index)}>
              Start
            </button>
            <span class="number">{index}</span>
            <Inline text={title} most={600} />
            <a
              href={linkTo(["compare"], { environment: name, split, task: index })}
              aria-label={`Episodes of task ${index}`}
            >
              episodes
            </a>
          </li>
        ))}
      </ol>
      {error.value !== null && <Failure error={error.value} />}
      <p role="status" class="quiet">
        {isLoading.value && `Loading… ${text !== "" && next.value ? `searched ${countText(next.value)} tasks` : ""}`}
        {!isLoading.value && tasks.value.length === 0 && next.value === null && "No task has this text in its title."}
        {!isLoading.value && next.value !== null && text !== "" && `Searched the first ${countText(next.value)} tasks.`}
      </p>
      {!isLoading.value && next.value !== null && (
        <p>
          <button type="button" onClick={() => pages.loadMore()}>
            {text === "" ? "Show more tasks" : "Search on"}
          </button>
        </p>
      )}
    </>
  );
}
