/** The filters of the list of episodes. They are in the address, so that a list can be shared. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { EpisodeFilter } from "../../api.js";
import { outcomeNames } from "../../parts/outcome.js";
import { goTo, linkTo, place } from "../../route.js";

/** Milliseconds without typing before the list is loaded anew. */
const pauseMs = 100;

const typedNames = ["environment", "text", "run", "policy", "tag"] as const;
const chosenNames = ["outcome", "within", "order"] as const;
type TypedName = (typeof typedNames)[number];
type FilterName = TypedName | (typeof chosenNames)[number];

/** Values of the filters that are set, as in the address. */
export type Filter = Partial<Record<FilterName, string>>;

/** Ages of episodes that can be chosen, in hours. */
const ages = [
  { name: "1h", word: "last hour", hours: 1 },
  { name: "1d", word: "last day", hours: 24 },
  { name: "7d", word: "last week", hours: 168 },
];

export const orders = [
  { name: "newest", word: "newest first" },
  { name: "highest", word: "highest return" },
  { name: "lowest", word: "lowest return" },
  { name: "longest", word: "most steps" },
  { name: "shortest", word: "fewest steps" },
] as const;

export function filterIn(query: URLSearchParams): Filter {
  const set = [...typedNames, ...chosenNames].flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, value]] : [];
  });
  return Object.fromEntries(set) as Filter;
}

/** Returns the filter as the gym expects it. Unknown values of a shared address are left out. */
export function queryOf({ outcome, within, order, ...typed }: Filter): EpisodeFilter {
  const hours = ages.find(({ name }) => name === within)?.hours;
  const known = outcomeNames.find(({ name }) => name === outcome)?.name;
  const ordered = orders.find(({ name }) => name === order)?.name;
  return {
    ...typed,
    ...(known && { outcome: known }),
    ...(hours && { since: new Date(Date.now() - hours * 3_600_000).toISOString() }),
    ...(ordered && { order: ordered }),
  };
}

/** Shows the list with other filters. @param changed filters to set, or to remove with "" */
export function refine(filter: Filter, changed: Filter): void {
  const entries = Object.entries({ ...filter, ...changed }).filter(([, value]) => value !== "");
  goTo(linkTo(["episodes"], Object.fromEntries(entries)), { replaces: true });
}

export function Filters({ filter }: { filter: Filter }) {
  const field = (name: TypedName, label: string) => <Field name={name} label={label} filter={filter} />;
  return (
    <search class="filters">
      <Choice name="outcome" label="Outcome" any="any outcome" options={outcomeNames} filter={filter} />
      {field("environment", "Environment")}
      {field("text", "Text in goal, id, task, seed or options")}
      {field("run", "Run")}
      {field("policy", "Policy")}
      {field("tag", "Tag")}
      <Choice name="within" label="Created" any="any time" options={ages} filter={filter} />
      <Choice name="order" label="Order" any="newest first" options={orders.slice(1)} filter={filter} />
    </search>
  );
}

interface FieldProps {
  name: TypedName;
  label: string;
  filter: Filter;
}

/** A field for a filter that is typed. It follows the address, except while the user types. */
function Field({ name, label, filter }: FieldProps) {
  const given = filter[name] ?? "";
  const text = useSignal(given);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => {
    if (timer.current === null && text.peek().trim() !== given) text.value = given;
  }, [given]);
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
  const type = (typed: string) => {
    text.value = typed;
    clearTimeout(timer.current ?? undefined);
    timer.current = setTimeout(() => {
      timer.current = null;
      refine(filterIn(place.value.query), { [name]: text.value.trim() });
    }, pauseMs);
  };
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={text.value}
      onInput={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}

interface ChoiceProps {
  name: (typeof chosenNames)[number];
  label: string;
  /** Text of the choice that sets no filter. */
  any: string;
  options: readonly { name: string; word: string }[];
  filter: Filter;
}

function Choice({ name, label, any, options, filter }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      value={filter[name] ?? ""}
      onChange={({ currentTarget }) => refine(filter, { [name]: currentTarget.value })}
    >
      <option value="">{any}</option>
      {options.map((option) => (
        <option key={option.name} value={option.name}>
          {option.word}
        </option>
      ))}
    </select>
  );
}
