/** Actions as JSON, as calls of functions, and as input of the X server. */
import { describe, expect, test } from "vitest";
import { type Action, actionText, parseAction } from "#palestra/envs/desktop/actions.js";
import desktop from "#palestra/envs/desktop/index.js";
import { inputOf } from "#palestra/envs/desktop/input.js";
import { actionFormat } from "#palestra/server/formats/actions/action-formats.js";

const tools = desktop.tools ?? [];
const coordinate: [number, number] = [1023, 0];

const texts = ["Hello", 'say "hi"', "C:\\new {text}", "line\nline\ttab", "übergrößer ✓ 🦜", "{x}, [1,2]", "$& $1 `x`"];
const actions: Action[] = [
  ...texts.map((text): Action => ({ action: "type", text })),
  { action: "key", text: "ctrl+s" },
  { action: "key", text: "Down Down space" },
  ...(["left_click", "right_click", "middle_click", "double_click", "triple_click", "mouse_move"] as const).map(
    (action): Action => ({ action, coordinate }),
  ),
  { action: "left_click_drag", start_coordinate: [1, 2], coordinate },
  { action: "scroll", coordinate, scroll_direction: "down", scroll_amount: 3 },
  { action: "wait", duration: 2 },
  { action: "screenshot" },
  { action: "cursor_position" },
  { action: "done" },
];

test("each tool calls an action", () => {
  const names = actions.map(({ action }) => action);
  expect(tools.map(({ name }) => name).filter((name) => !names.some((other) => other === name))).toEqual([]);
});

describe.each(actions.map((action) => [actionText(action), action] as const))("%s", (text, action) => {
  test("is parsed back", () => {
    expect(parseAction(text)).toEqual(action);
  });

  test.each(["tool_call", "code"])("can be written in the format %s", (format) => {
    const { read, write } = actionFormat(format);
    const written = write(text, tools);
    expect(written).toBeDefined();
    expect(read(written as string, tools)).toEqual({ action: text });
  });
});

test.each([
  ['{"action": "left_click"}', { action: "left_click" }],
  ['{"action":"left_click","coordinate":[5,6]}', { action: "left_click", coordinate: [5, 6] }],
  ['{"action": "left_click_drag", "coordinate": [5, 6]}', { action: "left_click_drag", coordinate: [5, 6] }],
  ['{"action": "wait", "duration": 0.5}', { action: "wait", duration: 0.5 }],
])("%s is read in the form of computer tools", (text, action) => {
  expect(parseAction(text)).toEqual(action);
});

test.each([
  ["", "one JSON object"],
  ["left_click 1 2", "one JSON object"],
  ["null", "an action of key, type, mouse_move"],
  ["[1]", "an action of"],
  ['{"action": "fly"}', "an action of"],
  ['{"action": "left_click", "coordinate": [1024, 5]}', "coordinate.0: Too big: expected number to be <=1023"],
  ['{"action": "left_click", "coordinate": [5, -1]}', "coordinate.1: Too small"],
  ['{"action": "left_click", "coordinate": [5, 768]}', "coordinate.1: Too big"],
  ['{"action": "left_click", "coordinate": [5.5, 7]}', "coordinate.0"],
  ['{"action": "left_click", "coordinate": "5, 7"}', "coordinate: Invalid input: expected tuple"],
  ['{"action": "mouse_move"}', "coordinate: Invalid input"],
  ['{"action": "screenshot", "region": 1}', 'Unrecognized key: "region"'],
  ['{"action": "type", "text": ""}', "text: Too small"],
  ['{"action": "type", "text": "a\\u0000b"}', "without NUL characters"],
  [`{"action": "type", "text": "${"x".repeat(1_001)}"}`, "text: Too big"],
  ['{"action": "key", "text": "--window 1"}', "names of keys"],
  ['{"action": "key", "text": "ctrl+"}', "names of keys"],
  ['{"action": "scroll", "scroll_direction": "in", "scroll_amount": 1}', "scroll_direction"],
  ['{"action": "wait", "duration": 11}', "duration: Too big"],
])("%s is refused, and the observation states the expected form", (text, observation) => {
  expect(parseAction(text)).toEqual({ action: "none", observation: expect.stringContaining(observation) });
});

test.each([
  [{ action: "left_click" }, ["click", "--repeat", "1", "--delay", "40", "1"]],
  [
    { action: "double_click", coordinate: [5, 6] },
    ["mousemove", "5", "6", "click", "--repeat", "2", "--delay", "40", "1"],
  ],
  [
    { action: "scroll", coordinate: [5, 6], scroll_direction: "left", scroll_amount: 2 },
    ["mousemove", "5", "6", "click", "--repeat", "2", "--delay", "40", "6"],
  ],
  [{ action: "type", text: "--help" }, ["type", "--delay", "12", "--args", "1", "--", "--help"]],
  [
    { action: "type", text: "\nkey\r\n" },
    [
      ...["key", "--delay", "12", "Return", "type", "--delay", "12", "--args", "1", "--", "key"],
      ...["key", "--delay", "12", "Return"],
    ],
  ],
  [{ action: "screenshot" }, []],
] as const)("%j is converted to input of xdotool", (action, args) => {
  expect(inputOf(action as Parameters<typeof inputOf>[0]).arguments).toEqual(args);
});

test("the last key of a combination is released first, as a person does", () => {
  expect(inputOf({ action: "key", text: "ctrl+shift+t Down" }).arguments).toEqual([
    ...["keydown", "ctrl", "keydown", "shift", "key", "t", "keyup", "shift", "keyup", "ctrl"],
    ...["key", "Down"],
  ]);
});

test("only listed names of keys are accepted, so that no name is run as a command of xdotool", () => {
  expect(inputOf({ action: "key", text: "ctrl+shift+t exec" }).keys).toEqual(["ctrl", "shift", "t", "exec"]);
});
