/** Sources of the search over everything: pages, environments, runs, episodes and tasks. */
import { api, type Environment, type EpisodeSummary } from "../../api.js";
import { linkTo } from "../../route.js";
import { pages } from "../../title.js";

export interface Found {
  readonly kind: "page" | "environment" | "run" | "episode" | "task";
  readonly text: string;
  readonly link: string;
}

/** Results of one kind that are shown. */
const mostOfKind = 6;
/** Pages of episodes that are searched at most. */
const mostPages = 5;
/** Characters from which episodes and tasks are searched. Fewer are in nearly all of them. */
const fewestCharacters = 2;

/** Pages, environments and runs, which are loaded once. */
let known: Promise<{ environments: readonly Environment[]; found: readonly Found[] }> | undefined;

/** Loads what is searched on this page anew, since the gym may have new runs. */
export function refreshSources(): void {
  known = undefined;
}

/** Yields the results so far, as they arrive. A source that cannot be read, such as runs without a right, has none. */
export async function* find(words: string): AsyncGenerator<readonly Found[]> {
  known ??= loadKnown();
  const { environments, found } = await known;
  const results: Found[] = [];
  for (const kind of ["page", "environment", "run"] as const)
    results.push(...found.filter((each) => each.kind === kind && fits(each.text, words)).slice(0, mostOfKind));
  yield [...results];
  if (words.length < fewestCharacters) return;
  results.push(...(await episodesWith(words)));
  yield [...results];
  let tasks = 0;
  for (const [environment, text] of searchedTasks(environments, words)) {
    const more = await tasksOf(environment, text);
    results.push(...more.slice(0, mostOfKind - tasks));
    tasks += more.length;
    if (more.length > 0) yield [...results];
    if (tasks >= mostOfKind) return;
  }
}

async function loadKnown() {
  const [{ environments }, { runs }] = await Promise.all([
    api.environments().catch(() => ({ environments: [] })),
    api.runs().catch(() => ({ runs: [] })),
  ]);
  const found: Found[] = [
    ...pages.map(({ path, title }): Found => ({ kind: "page", text: title, link: linkTo([path]) })),
    ...environments.map(({ summary, ...environment }): Found => {
      const name = nameOf(environment);
      return { kind: "environment", text: `${name} · ${summary}`, link: linkTo(["environments", name]) };
    }),
    ...runs.map(({ run, title }): Found => ({ kind: "run", text: title, link: linkTo(["runs", run]) })),
  ];
  return { environments, found };
}

async function episodesWith(text: string): Promise<Found[]> {
  const episodes: EpisodeSummary[] = [];
  let before: string | undefined;
  // A page may be short although more episodes follow.
  for (let page = 0; page < mostPages && episodes.length < mostOfKind; page++) {
    const query = { text, limit: mostOfKind - episodes.length, detail: "state" as const, ...(before && { before }) };
    const found = await api.episodes(query).catch(() => ({ episodes: [], next: null }));
    episodes.push(...found.episodes);
    if (found.next === null) break;
    before = found.next;
  }
  return episodes.map(({ episodeId, environment, task, state }) => ({
    kind: "episode",
    text: [episodeId, `${environment} ${task.split} ${task.index}`, ...(state?.goal ? [state.goal] : [])].join(" · "),
    link: linkTo(["episodes", episodeId]),
  }));
}

/** Returns the environments whose tasks are searched, and for what: `textcraft chest` searches those of TextCraft alone. */
function searchedTasks(environments: readonly Environment[], words: string): [Environment, string][] {
  const [first = "", ...rest] = words.split(" ");
  const named = environments.filter((environment) => nameOf(environment).startsWith(first.toLowerCase()));
  if (rest.length > 0 && named.length > 0) return named.map((environment) => [environment, rest.join(" ")]);
  return environments.map((environment) => [environment, words]);
}

async function tasksOf(environment: Environment, text: string): Promise<Found[]> {
  const name = nameOf(environment);
  const { tasks } = await api.tasks(name, { text, limit: mostOfKind }).catch(() => ({ tasks: [] }));
  return tasks.map(({ split, index, title }) => ({
    kind: "task",
    text: `${name} ${split} ${index} · ${title}`,
    link: linkTo(["environments", name], { split, text: title.slice(0, 200) }),
  }));
}

function nameOf({ id, version }: Pick<Environment, "id" | "version">): string {
  return `${id}@${version}`;
}

function fits(text: string, words: string): boolean {
  const lower = text.toLowerCase();
  return words
    .toLowerCase()
    .split(" ")
    .every((word) => lower.includes(word));
}
