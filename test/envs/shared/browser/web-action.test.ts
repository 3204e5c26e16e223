/** Compares parsed actions with those of WebArena's public package (test/peers/webarena-actions.py). */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  actionText,
  parseWebAction,
  pastAction,
  playwrightKeys,
  type WebAction,
  WrongAction,
} from "#palestra/envs/shared/browser/actions/web-action.js";

interface Case {
  written: string;
  kind?: string;
  /** Later description of the action, for an element with the line `[n] link 'a'`. */
  past?: string;
  id?: string;
  text?: string;
  error?: string;
  /** The package failed without a message for the agent. */
  crash?: string;
}

const file = new URL("../../../fixtures/webarena/actions.json", import.meta.url);
const cases = JSON.parse(readFileSync(file, "utf8")) as Case[];

/** The package's names of kinds, if they differ. */
const kinds: Readonly<Record<string, string>> = {
  key_press: "press",
  goto_url: "goto",
  page_focus: "tab_focus",
  page_close: "close_tab",
};

function read(written: string): WebAction | string {
  try {
    return parseWebAction(written);
  } catch (error) {
    expect(error).toBeInstanceOf(WrongAction);
    return (error as Error).message;
  }
}

describe("an action", () => {
  test("is parsed and described like in the public package", () => {
    const differing: unknown[] = [];
    for (const { written, kind = "", past, error, crash, id, text } of cases) {
      const ours = read(written);
      if (crash !== undefined) {
        expect(ours).toBe(`Invalid action ${written.trim()}`);
        continue;
      }
      const theirs = error ?? {
        kind: kinds[kind] ?? kind,
        past,
        ...(id !== undefined && { id }),
        ...(text !== undefined && { text }),
      };
      const told = typeof ours === "string" ? ours : summary(ours);
      if (JSON.stringify(told) !== JSON.stringify(theirs)) differing.push({ written, told, theirs });
    }
    expect(differing).toEqual([]);
    expect(cases.length).toBeGreaterThan(600);
  });

  function summary(action: WebAction) {
    const past = pastAction(action, "[1] link 'a'");
    if (action.kind === "type")
      return { kind: "type", past, id: action.id, text: `${action.text}${action.isEntered ? "\n" : ""}` };
    return { kind: action.kind, past, ...("id" in action && { id: action.id }) };
  }

  test.each([
    ["I think so. ```click [5]``` and ```click [6]```", "click [5]"],
    ["In summary, the next action I will perform is ```\nstop [a\nb]\n```", "stop [a\nb]"],
    ["  click [5]", "click [5]"],
    ["stop", "stop"],
  ])("is found between the first backticks, or alone, in %j", (written, text) => {
    expect(actionText(written)).toBe(text);
  });

  test.each(["I would click [5]", "", "```click [5]", "clicking [5]"])("is not found in %j", (written) => {
    expect(() => actionText(written)).toThrow(new WrongAction(`Cannot parse action from response ${written}`));
  });

  test("on a missing element gets WebArena's error text", () => {
    expect(pastAction(parseWebAction("click [9]"), undefined)).toMatch(
      /^Attempt to perfom "click" on element "\[9\]" but/,
    );
  });

  test.each([
    ["Meta+a", "Control+a"],
    ["ctrl+V", "Control+V"],
    ["arrowdown", "ArrowDown"],
    ["F5", "F5"],
    ["Shift+Tab", "Shift+Tab"],
    ["q", "q"],
  ])("presses %s as the keys %s", (keys, pressed) => {
    expect(playwrightKeys(keys)).toBe(pressed);
  });
});
