/** The caller's episodes as a table, with filters and orders. */
import { useSignalEffect } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { EpisodeSummary } from "../../api.js";
import { changes } from "../../live.js";
import { counted, shortNumber } from "../../numbers.js";
import { EpisodePages } from "../../parts/episode-pages.js";
import { WindowedList } from "../../parts/lists/windowed-list.js";
import { Failure } from "../../parts/loaded.js";
import { OutcomeBadge } from "../../parts/outcome.js";
import { readableLine } from "../../parts/visible-text.js";
import { linkTo, place } from "../../route.js";
import { type Filter, Filters, filterIn, queryOf, refine } from "./filters.js";
import "../../parts/filters.css";
import "./episodes.css";

export function Episodes() {
  const filter = filterIn(place.value.query);
  return (
    <section class="page">
      <h1>Episodes</h1>
      <Filters filter={filter} />
      <EpisodeList key={JSON.stringify(filter)} filter={filter} />
    </section>
  );
}

function EpisodeList({ filter }: { filter: Filter }) {
  const pages = useMemo(() => new EpisodePages({ ...queryOf(filter), detail: "state" }), []);
  useEffect(() => {
    pages.loadMore();
    return () => pages.stop();
  }, []);
  useSignalEffect(() => {
    // In another order, new episodes are not at the top.
    if (changes.value === 0 || filter.order !== undefined) return;
    pages.look().then(() => {
      if (!isReading()) pages.showNewest();
    });
  });
  const { rows, newest, isLoading, isComplete, error } = pages;
  if (rows.value.length === 0 && error.value === null)
    return <Nothing isLoading={!isComplete.value} isFiltered={Object.keys(filter).length > 0} />;
  return (
    <>
      {error.value !== null && (
        <Failure error={error.value}>
          <button type="button" onClick={() => pages.loadMore()}>
            Try again
          </button>
        </Failure>
      )}
      {newest.value !== null && (
        <p role="status">
          <button type="button" onClick={() => pages.showNewest()}>
            Show new episodes
          </button>
        </p>
      )}
      <Heads filter={filter} />
      <WindowedList
        count={rows.value.length}
        rowHeight={32}
        label="Episodes"
        onRange={(_, end) => {
          if (end >= rows.value.length && error.value === null) pages.loadMore();
        }}
      >
        {(index) => <EpisodeRow episode={rows.value[index] as EpisodeSummary} />}
      </WindowedList>
      {isLoading.value && <p class="quiet">Loading…</p>}
    </>
  );
}

/** The heads of the columns. Those of numbers change the order. */
function Heads({ filter }: { filter: Filter }) {
  const head = (word: string, first: string, second: string) => {
    const isFirst = filter.order === first;
    const mark = isFirst ? " ↓" : filter.order === second ? " ↑" : "";
    return (
      <button type="button" class="head number" onClick={() => refine(filter, { order: isFirst ? second : first })}>
        {word}
        {mark}
      </button>
    );
  };
  return (
    <div class="row episode-row heads">
      <span>Outcome</span>
      <span>Goal</span>
      <span>Environment</span>
      {head("Return", "highest", "lowest")}
      {head("Steps", "longest", "shortest")}
      <span>Policy</span>
      <span>Task and seed</span>
      <button type="button" class="head" onClick={() => refine(filter, { order: "" })}>
        Created{filter.order === undefined && " ↓"}
      </button>
    </div>
  );
}

/** Whether the reader is in the middle of the list. Rows do not move under a reader. */
function isReading(): boolean {
  const list = document.querySelector(".windowed");
  return list !== null && (list.scrollTop > 0 || list.contains(document.activeElement));
}

function Nothing({ isLoading, isFiltered }: { isLoading: boolean; isFiltered: boolean }) {
  if (isLoading) return <p class="quiet">Loading…</p>;
  if (isFiltered) return <p>No episode passes the filter.</p>;
  return (
    <p>
      There are no episodes yet. <a href={linkTo(["environments"])}>Start one from a task.</a>
    </p>
  );
}

function EpisodeRow({ episode }: { episode: EpisodeSummary }) {
  // The same element is not rendered again when further rows are loaded.
  return useMemo(() => <EpisodeLink episode={episode} />, [episode]);
}

function EpisodeLink({ episode }: { episode: EpisodeSummary }) {
  const { episodeId, environment, task, seed, policy, parent, createdAt, state } = episode;
  const goal = state?.goal ?? `${task.split} ${task.index}`;
  return (
    <a class="row episode-row" href={linkTo(["episodes", episodeId])} title={state?.verdict?.why}>
      <span>{state && <OutcomeBadge outcome={state.outcome} />}</span>
      <bdi dir="ltr">{readableLine(goal)}</bdi>
      <bdi dir="ltr">{readableLine(environment)}</bdi>
      <span class="number">{state && state.return !== null && shortNumber(state.return)}</span>
      <span class="number">{state && counted(state.index, "step")}</span>
      <bdi dir="ltr">{policy === null ? "" : readableLine(policy)}</bdi>
      <span class="quiet">
        <bdi dir="ltr">{readableLine(task.split)}</bdi> {task.index} · seed {seed}
        {parent !== null && " · fork"}
        {state && state.tags.length > 0 && ` · ${state.tags.map((tag) => readableLine(tag)).join(", ")}`}
      </span>
      <time dateTime={createdAt}>{new Date(createdAt).toLocaleString()}</time>
    </a>
  );
}
