/**
 * Damage of every kind in the files of a log that a killed gym has left. Either the gym refuses to start, or each read gives
 * what was written or fails. Nothing is lost in silence.
 */
import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MersenneTwister } from "#palestra/envs/shared/rng/mersenne-twister.js";
import { isDamage } from "#palestra/server/log/records/damage.js";
import { repairLog } from "#palestra/server/log/repair/repair.js";
import { LogStore } from "#palestra/server/log/sqlite/store.js";
import { verifyLog } from "#palestra/server/log/sqlite/verify.js";
import { copyLog, type Recorded, type RecordedLog, readLog, recordLog, stepsOf } from "./recorded-log.js";

const inWal = recordLog({ inWal: true });
const inMain = recordLog();
const pageBytes = 4_096;

type Damage = (path: string, random: MersenneTwister) => void;

function changed(path: string, random: MersenneTwister, count: number, change: (byte: number) => number): void {
  const bytes = readFileSync(path);
  const from = Math.floor(random.random() * (bytes.length - count));
  for (let at = from; at < from + count; at++) bytes[at] = change(bytes[at] as number);
  writeFileSync(path, bytes);
}

const damages: Record<string, Damage> = {
  "a flipped bit": (path, random) => changed(path, random, 1, (byte) => byte ^ (1 << Math.floor(random.random() * 8))),
  "16 changed bytes": (path, random) => changed(path, random, 16, (byte) => byte ^ 0x5a),
  "a changed letter": (path, random) => {
    const bytes = readFileSync(path);
    const at = bytes.indexOf("action", Math.floor(random.random() * bytes.length * 0.9));
    bytes[at] = "A".charCodeAt(0);
    writeFileSync(path, bytes);
  },
  "a changed character of a row": (path, random) => {
    const bytes = readFileSync(path);
    const texts = ["ada", "maze@1", '"level":"number', "closed", "textcraft", "has no exit", "all{"];
    const text = texts[Math.floor(random.random() * texts.length)] as string;
    const places: number[] = [];
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) places.push(at);
    const at =
      (places[Math.floor(random.random() * places.length)] as number) + Math.floor(random.random() * text.length);
    bytes[at] = (bytes[at] as number) ^ 1;
    writeFileSync(path, bytes);
  },
  "an overwritten page": (path, random) => changed(path, random, pageBytes, () => 0x55),
  "a page of zeros": (path, random) => changed(path, random, pageBytes, () => 0),
  "a cut end": (path, random) => truncateSync(path, Math.floor(random.random() * statSync(path).size)),
};

/** The result of an attempt to open and read a damaged log. */
type Outcome = "refused" | "told" | "whole";

/** Returns the expected content of the log, and a function for each read. */
function partsOf(store: LogStore, { ids, content, aliases }: RecordedLog): [unknown, () => unknown][] {
  const ofEpisodes = ids.flatMap((id): [unknown, () => unknown][] => {
    const { row, phase, failure, resetResult, steps } = content.get(id) as Recorded;
    const state = () => {
      const found = store.findEpisode(row.key);
      return found && [found.row, found.phase, found.failure?.message ?? null];
    };
    return [
      [[row, phase, failure], state],
      [resetResult, () => store.readResetResult(row.key)],
      [steps, () => stepsOf(store, row.key)],
    ];
  });
  const rows = ids.map((id) => content.get(id)?.row).toReversed();
  return [
    ...ofEpisodes,
    ...aliases.map((each): [unknown, () => unknown] => [each, () => store.findAlias(each.namespace, each.alias)]),
    [rows, () => store.listEpisodes("ada", Number.MAX_SAFE_INTEGER, 1_000)],
  ];
}

/** Opens and reads a log as a gym does. Fails the test on false data, and on a loss that no error reports. */
function outcomeOf(path: string, recorded: RecordedLog, about: string): Outcome {
  let store: LogStore;
  try {
    store = new LogStore(path, "normal");
  } catch (error) {
    expect(isDamage(error), `${about}: ${error}`).toBe(true);
    return "refused";
  }
  try {
    let outcome: Outcome = "whole";
    for (const [expected, read] of partsOf(store, recorded)) {
      let found: unknown;
      try {
        found = read();
      } catch (error) {
        expect(isDamage(error), `${about}: ${error}`).toBe(true);
        outcome = "told";
        continue;
      }
      // The gym reports the missing file.
      if (found === null) outcome = "told";
      else expect(found, about).toEqual(expected);
    }
    return outcome;
  } finally {
    store.close();
  }
}

describe.each(Object.entries(damages))("%s", (kind, damage) => {
  test("of the write-ahead log is refused at the start, which changes no file, and a repair skips the damage", () => {
    const outcomes = { refused: 0, told: 0, whole: 0 };
    for (let trial = 0; trial < 20; trial++) {
      const path = copyLog(inWal.path);
      damage(`${path}-wal`, new MersenneTwister(trial));
      const damaged = readFileSync(`${path}-wal`);
      const outcome = outcomeOf(path, inWal, `${kind}, trial ${trial}`);
      outcomes[outcome] += 1;
      if (outcome !== "refused") continue;
      expect(readFileSync(`${path}-wal`).equals(damaged)).toBe(true);
      expect(verifyLog(path).damages).not.toEqual([]);
      const repair = repairLog(path, `${path}.repaired`);
      expect(repair.parts).not.toEqual([]);
      for (const [id, { steps }] of readLog(`${path}.repaired`, inWal.ids))
        expect(inWal.content.get(id)?.steps.slice(0, steps.length), `${kind}, trial ${trial}: ${id}`).toEqual(steps);
    }
    console.info(`${kind} of the write-ahead log: ${JSON.stringify(outcomes)}`);
    expect(outcomes.refused).toBeGreaterThan(0);
  });

  test("of the main file never gives false data, and every loss is reported", () => {
    const outcomes = { refused: 0, told: 0, whole: 0 };
    for (let trial = 0; trial < 100; trial++) {
      const path = copyLog(inMain.path);
      damage(path, new MersenneTwister(trial));
      const about = `${kind}, trial ${trial}`;
      const outcome = outcomeOf(path, inMain, about);
      outcomes[outcome] += 1;
      if (outcome !== "whole") expect(verifyLog(path).damages, about).not.toEqual([]);
    }
    console.info(`${kind} of the main file: ${JSON.stringify(outcomes)}`);
  });
});
