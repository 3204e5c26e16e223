/** One level of MiniGrid's BabyAI, played with primitive moves. The mission is the only text of the game. */
import type { Pcg64 } from "../../shared/rng/pcg64.js";
import type { Color, Kind } from "./codes.js";
import { Move } from "./codes.js";
import { generateMission } from "./generation.js";
import { Status } from "./instructions.js";
import type { Level } from "./level.js";
import { nothing } from "./objects.js";
import { RoomGrid } from "./room-grid.js";
import type { Instruction } from "./sequences.js";
import { View } from "./view.js";
import type { World } from "./world.js";

export interface GameOptions {
  /**
   * If true, a mission without a locked room also avoids the objects in the room that was locked in an earlier mission,
   * as in MiniGrid up to version 3.1.0. The option matters where only some missions have a locked room: Synth,
   * SynthS5R2, SynthLoc and SynthSeq. The earlier mission may have been rejected during the same reset.
   */
  keepsLockedRoom?: boolean;
}

export class Game {
  mission = "";
  /** The instruction of the mission, with the progress of the episode. Undefined before the first reset. */
  instruction: Instruction | undefined;
  maxSteps = 0;
  stepCount = 0;
  /** Reward of the last step. */
  reward = 0;
  terminated = false;
  truncated = false;
  /** Number of missions that the last reset rejected because they broke a rule of the level. */
  rejections = 0;
  /** Number of missions that the last reset rejected because an object had no place or a description had no match. */
  timeouts = 0;
  /** The grid, the agent and all objects. The agent only sees `view`. */
  readonly world: World;
  private readonly sight = new View();
  private readonly grid: RoomGrid;

  constructor(
    readonly level: Level,
    private readonly options: GameOptions = {},
  ) {
    this.grid = new RoomGrid(level.roomSize, level.rows, level.cols, options.keepsLockedRoom ?? true);
    this.world = this.grid.world;
  }

  /**
   * Makes a new mission. A seed restarts the random stream; without a seed the stream continues, as in Gymnasium. On a
   * new game, the seed alone determines the mission. On a used game, earlier missions matter too: see
   * `keepsLockedRoom`.
   */
  reset(seed?: number | bigint): void {
    if (seed !== undefined) this.grid.draws.seed(seed);
    const { instruction, rejections, timeouts } = generateMission(this.level, this.grid);
    this.instruction = instruction;
    this.mission = instruction.surface();
    this.maxSteps = this.level.maxSteps ?? this.allowance(instruction.navigations);
    this.rejections = rejections;
    this.timeouts = timeouts;
    this.stepCount = 0;
    this.reward = 0;
    this.terminated = false;
    this.truncated = false;
    this.sight.look(this.world);
    if (this.level.startCarrying) this.giveObject(instruction);
  }

  /**
   * Performs one move and updates `view`, `reward`, `terminated` and `truncated`. As in MiniGrid, moves are still
   * possible after the episode has ended.
   */
  step(move: Move): void {
    const { world, instruction } = this;
    if (!instruction) throw new Error("The game has not been reset. Call reset before the first step.");
    this.stepCount += 1;
    world.apply(move);
    this.sight.look(world);
    if (move === Move.drop) instruction.track(world);
    const status = instruction.verify(world, move);
    this.reward = status === Status.success ? 1 - 0.9 * (this.stepCount / this.maxSteps) : 0;
    this.terminated = status !== Status.continue;
    this.truncated = this.stepCount >= this.maxSteps;
  }

  /** `gen_obs()["image"]`: 7 x 7 x 3 bytes, x first. Cell (i, j) is at (i * 7 + j) * 3 with kind, color, state. */
  get view(): Uint8Array {
    return this.sight.image;
  }

  /** 7 x 7 bytes, cell (i, j) at i * 7 + j: 1 if the view shows the cell. */
  get visible(): Uint8Array {
    return this.sight.visible;
  }

  get width(): number {
    return this.world.width;
  }

  get height(): number {
    return this.world.height;
  }

  get agentX(): number {
    return this.world.agentX;
  }

  get agentY(): number {
    return this.world.agentY;
  }

  /** Direction of the agent: 0 right, 1 down, 2 left, 3 up. */
  get agentDir(): number {
    return this.world.agentDir;
  }

  /** Kind of the carried object; 0 (unseen) if the agent carries nothing. */
  get carriedKind(): number {
    const { carried, objects } = this.world;
    return carried === nothing ? 0 : (objects.kinds[carried] as number);
  }

  get carriedColor(): number {
    return this.world.objects.colors[this.world.carried] as number;
  }

  kindAt(x: number, y: number): Kind {
    return this.world.objects.kinds[this.world.objectAt(x, y)] as Kind;
  }

  colorAt(x: number, y: number): Color {
    return this.world.objects.colors[this.world.objectAt(x, y)] as Color;
  }

  stateAt(x: number, y: number): number {
    return this.world.objects.states[this.world.objectAt(x, y)] as number;
  }

  /** Returns `grid.encode()`: width x height x 3 bytes, x first, without the agent. */
  encode(): Uint8Array {
    return this.world.encode();
  }

  /** The random stream. A draw from it changes all later missions. */
  get stream(): Pcg64 {
    return this.grid.draws.stream;
  }

  /** Returns an independent copy of the game, including the state of its random stream. */
  clone(): Game {
    const copy = new Game(this.level, this.options);
    copy.grid.copyFrom(this.grid);
    copy.sight.copyFrom(this.sight);
    copy.mission = this.mission;
    copy.instruction = this.instruction?.clone();
    copy.maxSteps = this.maxSteps;
    copy.stepCount = this.stepCount;
    copy.reward = this.reward;
    copy.terminated = this.terminated;
    copy.truncated = this.truncated;
    copy.rejections = this.rejections;
    copy.timeouts = this.timeouts;
    return copy;
  }

  /** Returns the limit on steps: area of a room x number of rooms x `navigations`. */
  private allowance(navigations: number): number {
    const { roomSize, rows, cols } = this.level;
    return navigations * roomSize ** 2 * rows * cols;
  }

  private giveObject(instruction: Instruction): void {
    if (instruction.type !== "putnext")
      throw new Error(`expected a level with putnext instructions for startCarrying, but received ${instruction.type}`);
    const [object] = instruction.move.objects;
    if (object === undefined) return;
    this.world.take(object);
    this.world.carried = object;
  }
}
