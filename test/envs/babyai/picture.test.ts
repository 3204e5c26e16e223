/** Compares frames with digests of MiniGrid's, PNG files with their source, and checks the shapes of SVG images. */
import { crc32, inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { Color, DoorState, Kind, type Move } from "#palestra/envs/babyai/engine/codes.js";
import { frame } from "#palestra/envs/babyai/picture/frame.js";
import type { Pictured } from "#palestra/envs/babyai/picture/pictured.js";
import { png } from "#palestra/envs/babyai/picture/png.js";
import { svg } from "#palestra/envs/babyai/picture/svg.js";
import { fixtureLines, newGame, sha256 } from "./recordings.js";

interface RecordedFrame {
  level: string;
  seed: number;
  /** Moves after the reset. Null if the grid was filled by hand. */
  moves: string | null;
  width: number;
  height: number;
  /** Pose of the agent: x, y, direction. */
  agent: [number, number, number];
  /** Encoded grid, width x height x 3 bytes, x first, in base64. */
  grid: string;
  visible: string;
  sha256: string;
}

const frames = fixtureLines<RecordedFrame>("frames.jsonl.gz");
const title = ({ level, seed, moves }: RecordedFrame) =>
  `${level} ${seed}${moves === null ? ", filled by hand" : `, ${moves.length} moves on`}`;
const titled = frames.map((recorded) => [title(recorded), recorded] as const);

function pictured({ width, height, agent, grid, visible }: RecordedFrame): Pictured {
  const cells = Buffer.from(grid, "base64");
  const at = (layer: number) => (x: number, y: number) => cells[(x * height + y) * 3 + layer] as number;
  const [agentX, agentY, agentDir] = agent;
  const mask = Buffer.from(visible, "base64");
  return { width, height, agentX, agentY, agentDir, visible: mask, kindAt: at(0), colorAt: at(1), stateAt: at(2) };
}

describe("frames", () => {
  test.each(titled)("%s equals MiniGrid's, byte for byte", (_, recorded) => {
    const { width, height, rgb } = frame(pictured(recorded));
    expect([width, height]).toEqual([recorded.width * 32, recorded.height * 32]);
    expect(sha256(rgb)).toBe(recorded.sha256);
  });

  test("a frame shows the current state of a level", () => {
    const played = frames.filter(({ moves }) => moves !== null);
    expect(played).toHaveLength(48);
    for (const { level, seed, moves, sha256: expected } of played) {
      const game = newGame(`BabyAI-${level}-v0`);
      game.reset(seed);
      for (const move of moves ?? "") game.step(Number(move) as Move);
      expect(sha256(frame(game).rgb)).toBe(expected);
    }
  });

  test("the recording has every object in every colour and state, and the agent in every direction", () => {
    const tiles = frames.flatMap((recorded) => {
      const cells = Buffer.from(recorded.grid, "base64");
      return Array.from({ length: cells.length / 3 }, (_, at) => cells.subarray(at * 3, at * 3 + 3).join());
    });
    // Empty, wall, and six colours of key, ball, box and the three states of a door.
    expect(new Set(tiles).size).toBe(2 + 6 * 6);
    expect(new Set(frames.map(({ agent }) => agent[2])).size).toBe(4);
    expect(frames.length).toBeGreaterThan(48);
  });
});

describe("PNG", () => {
  test("a file decodes to the frame from which it was made", () => {
    const made = frame(pictured(frames[0] as RecordedFrame));
    const { width, height, rgb } = readPng(png(made));
    expect([width, height]).toEqual([made.width, made.height]);
    expect(rgb.equals(made.rgb)).toBe(true);
  });

  test("the largest grid takes less than 10 kB", () => {
    for (const recorded of frames) expect(png(frame(pictured(recorded))).length).toBeLessThan(10_000);
  });
});

/** Decodes true colour with the filter type "up", by the standard, and checks the checksum of each chunk. */
function readPng(file: Buffer): { width: number; height: number; rgb: Buffer } {
  expect(file.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const body = file.subarray(at + 4, at + 8 + length);
    expect(file.readUInt32BE(at + 8 + length)).toBe(crc32(body));
    chunks.set(body.toString("latin1", 0, 4), body.subarray(4));
    at += 12 + length;
  }
  expect([...chunks.keys()]).toEqual(["IHDR", "IDAT", "IEND"]);
  const header = chunks.get("IHDR") as Buffer;
  expect([...header.subarray(8)]).toEqual([8, 2, 0, 0, 0]);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const rows = inflateSync(chunks.get("IDAT") as Buffer);
  const stride = width * 3 + 1;
  expect(rows.length).toBe(height * stride);
  const rgb = Buffer.alloc(height * width * 3);
  for (let y = 0; y < height; y++) {
    expect(rows[y * stride]).toBe(2);
    for (let x = 0; x < width * 3; x++) {
      const above = y === 0 ? 0 : (rgb[(y - 1) * width * 3 + x] as number);
      rgb[y * width * 3 + x] = above + (rows[y * stride + 1 + x] as number);
    }
  }
  return { width, height, rgb };
}

describe("SVG", () => {
  test.each(titled)("%s has a shape for each object, and its tags balance", (_, recorded) => {
    const text = svg(pictured(recorded));
    const cells = Buffer.from(recorded.grid, "base64");
    const things = Array.from({ length: cells.length / 3 }, (_, at) => cells[at * 3] as number).filter(
      (kind) => kind > 2,
    );
    expect(text.match(/<g /g)?.length ?? 0).toBe(things.length);
    expect(text.match(/<\w+[^>]*[^/]>/g)?.length).toBe(text.match(/<\/\w+>/g)?.length);
    expect(text).toMatch(/^<svg [^>]*viewBox="0 0 \d+ \d+"/);
    expect(text).not.toMatch(/undefined|NaN/);
    expect(text.length).toBeLessThan(20_000);
  });

  /** A corridor of three cells. The agent stands in the first and sees its own cell and the next one. */
  function corridor([kind, color, state]: readonly [number, number, number], agentDir = 0): string {
    const isThing = (x: number, y: number) => x === 2 && y === 1;
    const isFloor = (x: number, y: number) => x > 0 && x < 4 && y === 1;
    const visible = Uint8Array.from({ length: 49 }, (_, at) => Number(at === 3 * 7 + 6 || at === 3 * 7 + 5));
    return svg({
      ...{ width: 5, height: 3, agentX: 1, agentY: 1, agentDir, visible },
      kindAt: (x, y) => (isThing(x, y) ? kind : isFloor(x, y) ? Kind.empty : Kind.wall),
      colorAt: (x, y) => (isThing(x, y) ? color : Color.grey),
      stateAt: (x, y) => (isThing(x, y) ? state : 0),
    });
  }

  test("walls, visible cells, objects and the agent are at their positions", () => {
    const text = corridor([Kind.ball, Color.green, 0]);
    expect(text).toContain('d="M0 0h5v1h-5zM0 1h1v1h-1zM4 1h1v1h-1zM0 2h5v1h-5z"/>');
    expect(text).toContain('fill-opacity=".2" d="M1 1h2v1h-2z"/>');
    expect(text).toContain('<g transform="translate(2 1)" color="#32d74b" fill="#32d74b"><circle');
    expect(text).toMatch(/transform="translate\(1 1\)" d="[^"]*"\/><\/svg>$/);
  });

  test("the agent and its view turn together", () => {
    const text = corridor([Kind.ball, Color.green, 0], 1);
    expect(text).toContain('transform="translate(1 1) rotate(90 .5 .5)"');
    expect(text).toContain('fill-opacity=".2" d="M1 1h1v1h-1zM1 2h1v1h-1z"/>');
  });

  test("kinds, colours and door states have different shapes", () => {
    const kinds = [Kind.key, Kind.ball, Kind.box].map((kind) => [kind, 0] as const);
    const doors = Object.values(DoorState).map((state) => [Kind.door, state] as const);
    const texts = [...kinds, ...doors].flatMap(([kind, state]) =>
      Object.values(Color).map((color) => corridor([kind, color, state])),
    );
    expect(new Set(texts).size).toBe(6 * 6);
  });
});
