/** The caller's episodes, newest first, with filters. */

import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { EpisodeSummary } from "../api.js";
import { changes } from "../live.js";
import { counted, shortNumber } from "../numbers.js";
import { EpisodePages } from "../parts/episode-pages.js";
import { WindowedList } from "../parts/lists/windowed-list.js";
import { Failure } from "../parts/loaded.js";
import { readableLine } from "../parts/visible-text.js";
import { goTo, linkTo, place } from "../route.js";
import "../parts/filters.css";
import "./episodes.css";

/** Milliseconds without typing before the list is loaded anew. */
const pauseMs = 250;

export function Episodes() {
  const text = place.value.query.get("text") ?? "";
  const environment = place.value.query.get("environment") ?? "";
  return (
    <section class="page">
      <h1>Episodes</h1>
      <Filters text={text} environment={environment} />
      <EpisodeList key={`${environment} ${text}`} text={text} environment={environment} />
    </section>
  );
}

interface Filter {
  text: string;
  environment: string;
}

function Filters({ text, environment }: Filter) {
  const typed = useSignal({ text, environment });
  useEffect(() => {
    const { value } = typed;
    if (value.text === text && value.environment === environment) return;
    const timer = setTimeout(() => {
      const query = { text: value.text.trim() || undefined, environment: value.environment.trim() || undefined };
      goTo(linkTo(["episodes"], query), { replaces: true });
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [typed.value]);
  const field = (name: keyof Filter, label: string) => (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed.value[name]}
      onInput={({ currentTarget }) => {
        typed.value = { ...typed.value, [name]: currentTarget.value };
      }}
    />
  );
  return (
    <search class="filters">
      {field("environment", "Environment")}
      {field("text", "Text in id, task, seed or options")}
    </search>
  );
}

function EpisodeList({ text, environment }: Filter) {
  const pages = useMemo(
    () => new EpisodePages({ ...(text && { text }), ...(environment && { environment }), detail: "state" }),
    [],
  );
  useEffect(() => {
    pages.loadMore();
    return () => pages.stop();
  }, []);
  useSignalEffect(() => {
    if (changes.value === 0) return;
    pages.look().then(() => {
      if (!isReading()) pages.showNewest();
    });
  });
  const { rows, newest, isLoading, isComplete, error } = pages;
  if (rows.value.length === 0 && error.value === null)
    return <Nothing isLoading={!isComplete.value} isFiltered={text + environment !== ""} />;
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
  const { episodeId, environment, task, seed, parent, createdAt, state } = episode;
  return (
    <a class="row episode-row" href={linkTo(["episodes", episodeId])}>
      <span class="id">{episodeId}</span>
      <bdi dir="ltr">{readableLine(environment)}</bdi>
      <bdi dir="ltr">
        {readableLine(task.split)} {task.index}
      </bdi>
      <span>{state && <span class={state.phase === "failed" ? "badge bad" : "badge"}>{state.phase}</span>}</span>
      <span class="number">{state && counted(state.index, "step")}</span>
      <span class="number">{state && state.reward !== 0 && `reward ${shortNumber(state.reward)}`}</span>
      <span class="quiet">
        seed {seed}
        {parent !== null && " · fork"}
      </span>
      <time dateTime={createdAt}>{new Date(createdAt).toLocaleString()}</time>
    </a>
  );
}
