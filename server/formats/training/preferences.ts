/**
 * Preference pairs for TRL's DPO trainer: two episodes, or conversations of the same seat, with the same
 * prompt and first observation but different returns.
 */

import { textHash } from "../text-hash.js";
import { offeredTools, repliesOf, startOf } from "./chat.js";
import type { EpisodeHandle, ExportEpisode } from "./episode.js";
import { type ExportRow, seatOf } from "./rows.js";

export interface PairChoice {
  /** Minimum difference between the two returns; episodes with equal returns are never paired. */
  readonly margin: number;
  /** `best`: the best and the worst episode of each group; `all`: every two episodes whose returns differ enough. */
  readonly pairs: "best" | "all";
}

/** An episode of a group without its text. */
interface Member {
  readonly handle: EpisodeHandle;
  readonly seat: string | undefined;
  readonly return: number;
}

/**
 * Collects returns by group, then loads the chosen episodes. Only the facts of each episode and the texts of one pair
 * are in memory.
 */
export class PreferencePairs {
  private readonly groups = new Map<string, Member[]>();

  constructor(private readonly choice: PairChoice) {}

  add(handle: EpisodeHandle, episode: ExportEpisode): void {
    const { environment, split, index } = episode.played;
    // Seeds may differ, but both episodes of a pair must have the same prompt and first observation.
    const shown = textHash(JSON.stringify([episode.prompt, episode.opening, episode.tools]));
    const options = Object.entries(episode.options).sort(([a], [b]) => (a < b ? -1 : 1));
    const { seat } = episode;
    const key = JSON.stringify([environment, split, index, options, String(shown), seat]);
    const member = { handle, seat, return: episode.return };
    const group = this.groups.get(key);
    if (group) group.push(member);
    else this.groups.set(key, [member]);
  }

  async *rows(): AsyncGenerator<ExportRow> {
    for (const group of this.groups.values()) {
      for (const [better, worse] of this.pairsOf(group)) {
        const [chosen, rejected] = await Promise.all([conversationOf(better), conversationOf(worse)]);
        if (chosen && rejected) yield pairRow(chosen, rejected);
      }
    }
  }

  private *pairsOf(group: readonly Member[]): Generator<[Member, Member]> {
    const sorted = [...group].sort((a, b) => b.return - a.return);
    const { margin, pairs } = this.choice;
    const fits = (a: Member, b: Member) => a.return > b.return && a.return - b.return >= margin;
    if (pairs === "best") {
      const [best, worst] = [sorted[0] as Member, sorted.at(-1) as Member];
      if (fits(best, worst)) yield [best, worst];
      return;
    }
    for (const [at, better] of sorted.entries()) {
      for (const worse of sorted.slice(at + 1)) if (fits(better, worse)) yield [better, worse];
    }
  }
}

/** Loads the conversation of a member, which may have been removed. */
async function conversationOf({ handle, seat }: Member): Promise<ExportEpisode | undefined> {
  const loaded = await handle.load();
  return "leftOut" in loaded ? undefined : loaded.find((episode) => episode.seat === seat);
}

export function pairRow(chosen: ExportEpisode, rejected: ExportEpisode): ExportRow {
  const { environment, split, index } = chosen.played;
  return {
    prompt: startOf(chosen),
    chosen: repliesOf(chosen),
    rejected: repliesOf(rejected),
    ...offeredTools(chosen),
    chosenReturn: chosen.return,
    rejectedReturn: rejected.return,
    environment,
    task: { split, index },
    ...seatOf(chosen),
  };
}
