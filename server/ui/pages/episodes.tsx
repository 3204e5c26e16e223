/** The caller's episodes, newest first. */
import { useSignal } from "@preact/signals";
import { api, type EpisodeSummary } from "../api.js";
import { Failure, Loaded } from "../parts/loaded.js";
import { WindowedList } from "../parts/windowed-list.js";
import { linkTo } from "../route.js";

const pageSize = 200;

export function Episodes() {
  return (
    <section class="page">
      <h1>Episodes</h1>
      <Loaded of="" load={() => api.episodes({ limit: pageSize })}>
        {({ episodes, next }) => <EpisodeList first={episodes} next={next} />}
      </Loaded>
    </section>
  );
}

function EpisodeList({ first, next }: { first: EpisodeSummary[]; next: string | null }) {
  const rows = useSignal(first);
  const before = useSignal(next);
  const error = useSignal<unknown>(null);
  const isLoading = useSignal(false);
  const loadMore = async () => {
    if (isLoading.value || before.value === null) return;
    isLoading.value = true;
    try {
      const page = await api.episodes({ before: before.value, limit: pageSize });
      rows.value = [...rows.value, ...page.episodes];
      before.value = page.next;
    } catch (reason) {
      error.value = reason;
    } finally {
      isLoading.value = false;
    }
  };
  if (rows.value.length === 0) {
    return (
      <p>
        There are no episodes yet. <a href={linkTo(["environments"])}>Start one from a task.</a>
      </p>
    );
  }
  return (
    <>
      {error.value !== null && <Failure error={error.value} />}
      <WindowedList
        count={rows.value.length}
        rowHeight={32}
        label="Episodes"
        onRange={(_, end) => {
          if (end >= rows.value.length) loadMore();
        }}
      >
        {(index) => <EpisodeRow episode={rows.value[index] as EpisodeSummary} />}
      </WindowedList>
    </>
  );
}

function EpisodeRow({
  episode: { episodeId, environment, task, seed, parent, createdAt },
}: {
  episode: EpisodeSummary;
}) {
  return (
    <a class="row" href={linkTo(["episodes", episodeId])}>
      <span class="id">{episodeId}</span>
      <span>{environment}</span>
      <span>
        {task.split} {task.index}
      </span>
      <span class="quiet">seed {seed}</span>
      <span class="quiet">{parent === null ? "" : "fork"}</span>
      <time dateTime={createdAt}>{new Date(createdAt).toLocaleString()}</time>
    </a>
  );
}
