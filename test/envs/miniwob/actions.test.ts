/** Actions as text, without a browser. */
import { describe, expect, test } from "vitest";
import { parseAction } from "#palestra/envs/miniwob/actions.js";
import { WrongAction } from "#palestra/envs/shared/browser/actions/web-action.js";

describe("an action", () => {
  test.each([
    ["click [12]", { kind: "click", id: "12" }],
    ["I press it.\n```click [12]```", { kind: "click", id: "12" }],
    ["double_click [3]", { kind: "double_click", id: "3" }],
    ["triple_click [3]", { kind: "triple_click", id: "3" }],
    ["type [4] [some text] [0]", { kind: "type", id: "4", text: "some text", isEntered: false }],
    ["type [4] [some text]", { kind: "type", id: "4", text: "some text", isEntered: true }],
    ["select [4] [San Marino]", { kind: "select", id: "4", entry: "San Marino" }],
    ["select [4] [a [b] c]", { kind: "select", id: "4", entry: "a [b] c" }],
    ["press [Ctrl+a]", { kind: "press", keys: "Ctrl+a" }],
    ["scroll [down]", { kind: "scroll", direction: "down" }],
    ["hover [5]", { kind: "hover", id: "5" }],
    ["hover_at [5] [6]", { kind: "hover_at", at: [5, 6] }],
    ["click_at [159] [209]", { kind: "click_at", at: [159, 209] }],
    ["drag [1] [2]", { kind: "drag", from: "1", to: "2" }],
    ["drag_at [1] [2] [3] [4]", { kind: "drag_at", from: [1, 2], to: [3, 4] }],
    ["wait [0.6]", { kind: "wait", ms: 600 }],
    ["wait [10]", { kind: "wait", ms: 10_000 }],
  ])("%j is read", (text, action) => expect(parseAction(text)).toEqual(action));

  test.each([
    "",
    "dance [3]",
    "click",
    "click [a]",
    "click_at [160] [0]",
    "click_at [0] [210]",
    "click_at [1]",
    "drag_at [1] [2] [3]",
    "drag [1]",
    "wait [0]",
    "wait [11]",
    "wait [-1]",
    "select [4]",
    "select [4] [a\nb]",
    `click ${"x".repeat(100_000)}`,
  ])("%.30j is refused in a few words", (text) => {
    expect(() => parseAction(text)).toThrow(WrongAction);
    expect(() => parseAction(text)).toThrow(/^.{1,300}$/s);
  });

  test.each(["goto [http://miniwob.test]", "new_tab", "tab_focus [0]", "close_tab", "go_back", "go_forward"])(
    "%s is refused: there is one page",
    (text) => expect(() => parseAction(text)).toThrow("on this page alone"),
  );

  test("stop is refused, since the page ends the task", () =>
    expect(() => parseAction("stop [done]")).toThrow("ends by itself"));
});
