/** MiniGrid's codes for kinds of objects, colors, door states and moves (`minigrid.core.constants`). */

export const Kind = {
  unseen: 0,
  empty: 1,
  wall: 2,
  floor: 3,
  door: 4,
  key: 5,
  ball: 6,
  box: 7,
  goal: 8,
  lava: 9,
  agent: 10,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

export const Color = { red: 0, green: 1, blue: 2, purple: 3, yellow: 4, grey: 5 } as const;
export type Color = (typeof Color)[keyof typeof Color];

export const DoorState = { open: 0, closed: 1, locked: 2 } as const;

/** The primitive actions of MiniGrid and BabyAI. */
export const Move = { left: 0, right: 1, forward: 2, pickup: 3, drop: 4, toggle: 5, done: 6 } as const;
export type Move = (typeof Move)[keyof typeof Move];

/** Change of x for a step to the right, down, left and up. x grows to the right and y grows downwards. */
export const dirX = [1, 0, -1, 0] as const;
export const dirY = [0, 1, 0, -1] as const;
