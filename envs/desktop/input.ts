/** Converts each action to arguments of xdotool and to a summary for the agent. */
import { type Action, typingMs } from "./actions.js";

type InputAction = Exclude<Action, { action: "done" }>;

export interface Input {
  /** Arguments of xdotool. The list is empty for actions without mouse or keyboard input, such as `wait`. */
  arguments: readonly string[];
  /** Names of the keys in the arguments, so that the driver can check them. */
  keys: readonly string[];
  /** Summary of the action, for the agent. */
  said: string;
  /** Duration of the input in milliseconds. */
  playMs: number;
}

const buttons = {
  left_click: { button: 1, times: 1, said: "Clicked the left button" },
  middle_click: { button: 2, times: 1, said: "Clicked the middle button" },
  right_click: { button: 3, times: 1, said: "Clicked the right button" },
  double_click: { button: 1, times: 2, said: "Clicked the left button twice" },
  triple_click: { button: 1, times: 3, said: "Clicked the left button three times" },
} as const;
const wheel = { up: 4, down: 5, left: 6, right: 7 } as const;
/** Milliseconds between two clicks of a multiple click, and between two notches of the wheel. */
const betweenClicksMs = 40;
/**
 * xdotool arguments for a pause between the stages of a drag. The window manager and the program need it to notice each
 * stage.
 */
const dragPause = ["sleep", "0.06"];

export function inputOf(action: InputAction): Input {
  switch (action.action) {
    case "key":
      return pressing(action.text);
    case "type":
      return typing(action.text);
    case "mouse_move":
      return input(moved(action.coordinate), `Moved the cursor to ${shown(action.coordinate)}`);
    case "left_click_drag":
      return drag(action.start_coordinate, action.coordinate);
    case "scroll": {
      const { coordinate, scroll_direction: direction, scroll_amount: amount } = action;
      return input(
        [...moved(coordinate), ...clicked(wheel[direction], amount)],
        `Scrolled ${direction} by ${amount}`,
        amount * betweenClicksMs,
      );
    }
    case "wait":
      return input(["sleep", `${action.duration}`], `Waited ${action.duration} s`, action.duration * 1_000);
    case "screenshot":
      return input([], "Took a screenshot");
    case "cursor_position":
      return input([], "Asked for the cursor");
    default: {
      const { button, times, said } = buttons[action.action];
      const at = action.coordinate ? ` at ${shown(action.coordinate)}` : "";
      return input([...moved(action.coordinate), ...clicked(button, times)], `${said}${at}`);
    }
  }
}

function input(args: readonly string[], said: string, playMs = 0, keys: readonly string[] = []): Input {
  return { arguments: args, keys, said, playMs };
}

/** Presses combinations such as `ctrl+s`, which spaces separate. */
function pressing(text: string): Input {
  const combinations = text.split(" ").map((names) => names.split("+"));
  return input(combinations.flatMap(pressed), `Pressed ${text}`, 0, combinations.flat());
}

/**
 * Presses the last key while the others are down. `key alt+o` of xdotool would release Alt before `o`. A program that looks at
 * the modifiers when `o` is released, such as a button with a shortcut, would sometimes miss the release.
 */
function pressed(names: readonly string[]): string[] {
  const held = names.slice(0, -1);
  const down = held.flatMap((name) => ["keydown", name]);
  const up = held.toReversed().flatMap((name) => ["keyup", name]);
  return [...down, "key", names.at(-1) as string, ...up];
}

/**
 * Types a text. Each line feed becomes the key Return. xdotool would press the key Linefeed, which most programs
 * ignore.
 */
function typing(text: string): Input {
  const pause = ["--delay", `${typingMs}`];
  const lines = text.split(/\r?\n/).map((line) => (line === "" ? [] : ["type", ...pause, "--args", "1", "--", line]));
  const args = lines.flatMap((line, at) => (at === 0 ? line : ["key", ...pause, "Return", ...line]));
  const characters = [...text].length;
  return input(args, `Typed ${characters} character${characters === 1 ? "" : "s"}`, characters * typingMs);
}

function drag(from: readonly number[] | undefined, to: readonly number[]): Input {
  const stops = from
    ? [moved(from.map((start, axis) => Math.round((start + (to[axis] as number)) / 2))), dragPause]
    : [];
  const args = [moved(from), ["mousedown", "1"], dragPause, ...stops, moved(to), dragPause, ["mouseup", "1"]].flat();
  return input(args, `Dragged ${from ? `from ${shown(from)} ` : ""}to ${shown(to)}`, 500);
}

function moved(to: readonly number[] | undefined): string[] {
  return to ? ["mousemove", ...to.map(String)] : [];
}

function clicked(button: number, times: number): string[] {
  return ["click", "--repeat", `${times}`, "--delay", `${betweenClicksMs}`, `${button}`];
}

function shown(coordinate: readonly number[]): string {
  return `(${coordinate.join(", ")})`;
}
