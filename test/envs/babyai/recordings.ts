/** Recordings of MiniGrid: fixtures of this repository, and larger traces beside it if present. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { type TestContext, test } from "vitest";
import { Color, Kind } from "#palestra/envs/babyai/engine/codes.js";
import { Game, type GameOptions } from "#palestra/envs/babyai/engine/game.js";
import { levels } from "#palestra/envs/babyai/engine/levels/index.js";

const fixtures = new URL("../../fixtures/babyai/", import.meta.url);
const shared = new URL("../../../../shared/data/babyai/", import.meta.url);

function lines<T>(file: URL): T[] {
  const text = gunzipSync(readFileSync(file)).toString("utf8").trimEnd();
  return text.split("\n").map((line) => JSON.parse(line) as T);
}

export function fixtureLines<T>(name: string): T[] {
  return lines(new URL(name, fixtures));
}

export function sharedLines<T>(name: string): T[] {
  return lines(new URL(name, shared));
}

/** Defines a test that reads ../shared/data/babyai, and is skipped if that folder is absent. */
export function sharedTest(title: string, check: (context: TestContext) => void | Promise<void>): void {
  test(title, (context) => {
    if (!existsSync(shared)) context.skip("expected reference traces in ../shared/data/babyai, but there are none");
    return check(context);
  });
}

const levelsById = new Map([...levels.values()].map((level) => [level.id, level]));

/** @param id id in MiniGrid */
export function newGame(id: string, options?: GameOptions): Game {
  const level = levelsById.get(id);
  if (!level) throw new Error(`expected a level of BabyAI, but received ${id}`);
  return new Game(level, options);
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const nameOf = (codes: Record<string, number>, code: number) => Object.keys(codes).find((name) => codes[name] === code);

/** The carried object in the format of the recordings: colour and kind, or null. */
export function carrying(game: Game): [color: string, kind: string] | null {
  if (game.carriedKind === Kind.unseen) return null;
  return [nameOf(Color, game.carriedColor) as string, nameOf(Kind, game.carriedKind) as string];
}
