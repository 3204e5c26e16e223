/** The episodes of an evaluation: a list with filters and a search, and the transcript of one of them. */
import { failureKinds, failureNames } from "../../../../formats/outcomes/failure.js";
import { decimal } from "../../../numbers.js";
import { useKeys } from "../../../parts/keys.js";
import { WindowedList } from "../../../parts/lists/windowed-list.js";
import { Failure, Loaded } from "../../../parts/loaded.js";
import { Scroll } from "../../../parts/scroll.js";
import { Inline } from "../../../parts/text.js";
import { readableLine } from "../../../parts/visible-text.js";
import { goTo, linkTo, place } from "../../../route.js";
import { type EpisodeQuery, type EpisodeRow, type EpisodeSource, kindOf, wordsOf } from "./episode-source.js";
import { EpisodeTranscript } from "./episode-transcript.js";
import { episodeName } from "./evaluation-results.js";
import { statusOf, useEpisodes } from "./found-episodes.js";

interface Props {
  source: EpisodeSource;
  /** Path of the page. */
  path: readonly string[];
  families: readonly string[];
  /** Samples of each task. */
  k: number;
  prompt?: string | undefined;
  /** Changes when the evaluation has new episodes. */
  revision?: string;
}

export function EvaluationEpisodes({ source, path, families, k, prompt, revision = "" }: Props) {
  const { query } = place.value;
  const filter: EpisodeQuery = {
    status: query.get("status") ?? undefined,
    family: query.get("family") ?? undefined,
    failure: query.get("failure") ?? undefined,
    text: query.get("q") ?? undefined,
  };
  const open = query.has("episode") ? Number(query.get("episode")) : undefined;
  const go = (change: Record<string, string | number | undefined>) => {
    const { status, family, failure, text: q } = filter;
    goTo(linkTo(path, { status, family, failure, q, episode: open, ...change }), { replaces: true });
  };
  return (
    <div class="evaluation-episodes">
      <Filter filter={filter} families={families} searches={source.searches} onChange={go} />
      <EpisodeList
        source={source}
        filter={filter}
        open={open}
        k={k}
        revision={revision}
        onOpen={(episode) => go({ episode })}
      />
      <Scroll class="transcript" label="Transcript">
        {open === undefined ? (
          <p class="quiet">
            Choose an episode to read its transcript. The keys j and k go to the next and previous one.
          </p>
        ) : (
          <Loaded of={`${open}`} load={() => source.episode(open)}>
            {(record) => <EpisodeTranscript record={record} k={k} words={wordsOf(filter.text)} prompt={prompt} />}
          </Loaded>
        )}
      </Scroll>
    </div>
  );
}

interface FilterProps {
  filter: EpisodeQuery;
  families: readonly string[];
  searches: string;
  onChange: (change: Record<string, string | undefined>) => void;
}

function Filter({ filter, families, searches, onChange }: FilterProps) {
  return (
    <search class="controls">
      <input
        type="search"
        aria-label={`Search ${searches}`}
        placeholder={`Search ${searches}`}
        value={filter.text ?? ""}
        onInput={({ currentTarget }) => onChange({ q: currentTarget.value || undefined })}
      />
      <select
        aria-label="Outcome"
        value={filter.status ?? ""}
        onChange={({ currentTarget }) => onChange({ status: currentTarget.value || undefined })}
      >
        <option value="">all outcomes</option>
        {["solved", "unsolved", "failed"].map((status) => (
          <option key={status}>{status}</option>
        ))}
      </select>
      <select
        aria-label="Kind of failure"
        value={filter.failure ?? ""}
        onChange={({ currentTarget }) => onChange({ failure: currentTarget.value || undefined })}
      >
        <option value="">all kinds of failure</option>
        {failureKinds.map((kind) => (
          <option key={kind} value={kind}>
            {failureNames[kind]}
          </option>
        ))}
      </select>
      {families.length > 1 && (
        <select
          aria-label="Family"
          value={filter.family ?? ""}
          onChange={({ currentTarget }) => onChange({ family: currentTarget.value || undefined })}
        >
          <option value="">all families</option>
          {families.map((family) => (
            <option key={family} value={family}>
              {readableLine(family, 60)}
            </option>
          ))}
        </select>
      )}
    </search>
  );
}

interface ListProps {
  source: EpisodeSource;
  filter: EpisodeQuery;
  open: number | undefined;
  k: number;
  revision: string;
  onOpen: (index: number) => void;
}

function EpisodeList({ source, filter, open, k, revision, onOpen }: ListProps) {
  const found = useEpisodes(source, filter, revision);
  const episodes = found.page?.episodes ?? [];
  const words = wordsOf(filter.text);
  const selected = episodes.findIndex(({ index }) => index === open);
  const move = (by: number) => {
    const next = episodes[Math.max(0, Math.min(episodes.length - 1, selected + by))];
    if (next) onOpen(next.index);
  };
  useKeys({ j: () => move(1), k: () => move(-1) });
  return (
    <div class="list">
      {found.error !== null && <Failure error={found.error} />}
      <p class="quiet" role="status">
        {statusOf(found)}
      </p>
      <WindowedList
        count={episodes.length}
        rowHeight={44}
        label="Episodes"
        selected={selected >= 0 ? selected : undefined}
        onRange={(_, end) => {
          if (end >= episodes.length) found.more();
        }}
      >
        {(index) => <Row row={episodes[index] as EpisodeRow} open={open} k={k} words={words} onOpen={onOpen} />}
      </WindowedList>
    </div>
  );
}

type RowProps = Pick<ListProps, "open" | "k" | "onOpen"> & { row: EpisodeRow; words: readonly string[] };

function Row({ row, open, k, words, onOpen }: RowProps) {
  const { index, played, sample, family, status, score, steps, found, failureKind } = row;
  const kind = kindOf(row);
  return (
    <button
      type="button"
      class={`evaluation-row ${kind}`}
      aria-current={index === open ? "true" : undefined}
      onClick={() => onOpen(index)}
    >
      <b>
        <Inline text={episodeName(played.split, played.index, sample, k)} most={120} />
      </b>
      <span class={`badge ${{ solved: "good", failed: "bad", unsolved: "" }[kind]}`}>{kind}</span>
      <span class="quiet facts-line" dir={found?.text ? "ltr" : undefined}>
        {found?.text ? (
          <>
            {found.turn === null ? "" : `turn ${found.turn}: `}
            <Inline text={found.text} words={words} />
          </>
        ) : (
          <>
            {family !== undefined && (
              <>
                <Inline text={family} most={60} /> ·{" "}
              </>
            )}
            <Inline text={failureKind ? failureNames[failureKind] : status} most={60} /> · score {decimal(score)} ·{" "}
            {steps} {steps === 1 ? "step" : "steps"}
          </>
        )}
      </span>
    </button>
  );
}
