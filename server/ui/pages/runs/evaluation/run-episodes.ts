/** The episodes of an evaluation in the gym's folders, read in pages. */
import { api } from "../../../api.js";
import type { EpisodePage, EpisodeQuery, EpisodeRecord, EpisodeRow, EpisodeSource } from "./episode-source.js";

/** Episodes of a page, if all are read. */
const pageOfAll = 1_000;

export class RunEpisodes implements EpisodeSource {
  readonly searches = "all texts";

  constructor(private readonly run: string) {}

  async page(
    { status, family, failure, text = "" }: EpisodeQuery,
    from: number,
    signal?: AbortSignal,
  ): Promise<EpisodePage> {
    const query = { from, ...(status && { status }), ...(family && { family }), ...(failure && { failure }) };
    if (text.trim() === "") return (await api.runEpisodes(this.run, query, signal)) as EpisodePage;
    const found = await api.searchRun(this.run, { ...query, q: text }, signal);
    return { ...(found as Omit<EpisodePage, "matching">), matching: found.episodes.length };
  }

  async episode(index: number): Promise<EpisodeRecord> {
    return (await api.runEpisode(this.run, index)) as EpisodeRecord;
  }

  /** Returns all episodes. Pages after the first are read at once. */
  async all(): Promise<EpisodeRow[]> {
    const part = async (from: number) =>
      (await api.runEpisodes(this.run, { from, limit: pageOfAll })) as Pick<EpisodePage, "episodes" | "matching">;
    const first = await part(0);
    const others = Math.max(0, Math.ceil(first.matching / pageOfAll) - 1);
    const rest = await Promise.all(Array.from({ length: others }, (_, at) => part((at + 1) * pageOfAll)));
    return [first, ...rest].flatMap(({ episodes }) => episodes);
  }
}
