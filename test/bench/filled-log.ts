/** A log of many episodes, as the table of episodes finds it after a long time of use. */
import { createEpisodeId } from "#palestra/server/log/records/episode-id.js";
import { StepPageWriter } from "#palestra/server/log/records/step-page.js";
import { LogStore } from "#palestra/server/log/sqlite/store.js";
import { episodeRow } from "../support/episode-row.js";

const perTransaction = 10_000;
const stepsPerPage = 128;

/**
 * Writes episodes of one step each. All but one in 500 have ended, one in 1,000 is of sciworld, and one in 10,000 has a
 * note.
 */
export function fillLog(path: string, episodes: number): void {
  const store = new LogStore(path, "normal");
  const page = new StepPageWriter();
  for (let from = 1; from <= episodes; from += perTransaction)
    store.transaction(() => {
      for (let key = from; key < Math.min(from + perTransaction, episodes + 1); key++) {
        store.createEpisode(rowOf(key), '{"observation":"You are in a room.","info":{}}');
        const hasEnded = key % 500 !== 0;
        page.add(key, 0, "look", replyOf(hasEnded), hasEnded ? 1 : 0);
        if (key % stepsPerPage === 0) store.appendPage(page.take());
        if (hasEnded) store.mark(key, key % 3 === 0 ? "solved" : "unsolved", verdictOf(key));
        if (key % 10_000 === 0) store.mark(key, "note", '{"step":0,"tags":["odd"],"text":""}');
      }
    });
  store.transaction(() => store.appendPage(page.take()));
  store.close();
}

function rowOf(key: number) {
  return episodeRow(key, {
    id: createEpisodeId(key),
    environment: key % 1_000 === 0 ? "sciworld@1" : "textcraft@1",
    split: key % 1_000 === 0 ? "train" : "all",
    taskIndex: key % 500,
    seed: key,
    options: JSON.stringify(key % 10 === 0 ? { "@run": `run ${key % 7}` } : {}),
    owner: "local",
    createdAtMs: Date.now(),
    leaseMs: 60_000,
  });
}

function replyOf(terminated: boolean): string {
  const result = { index: 0, observation: "You see a table.", reward: 0, terminated, truncated: false, info: {} };
  return JSON.stringify(result);
}

function verdictOf(key: number): string {
  return JSON.stringify({ return: (key * 7919) % 1_000, steps: (key * 104_729) % 50, why: "The episode ended." });
}
