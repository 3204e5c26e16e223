/**
 * ReAct (Yao et al. 2022) as AgentGym's prompts request it: a thought, then the action after the last `Action:`, on the
 * same line or the next.
 */
import type { ActionFormat, Reading } from "./action-format.js";
import { isCallAlone, readCall } from "./function-calling.js";
import { refusal } from "./tool-call.js";
import { answerOf } from "./written.js";

export const react: ActionFormat = {
  name: "react",
  callsTools: false,
  opening: (prompt) => ({ prompt }),
  /**
   * A text with neither `Thought:` nor `Action:` is the action itself, unchanged, so that clients which send plain
   * actions play as before. A text that is one call of a tool and nothing else is that call.
   */
  read(text, tools): Reading {
    const answer = answerOf(text);
    if (isCallAlone(answer)) return readCall(answer, tools);
    const lines = linesAfterAction(answer);
    const action = unquoted(lines.at(-1) ?? "");
    if (action !== "") return { action };
    if (lines.length === 0 && !answer.includes("Thought:")) return { action: answer };
    return refusal('"Thought:", then "Action:" and the action on its next line', JSON.stringify(text));
  },
  write: (action) => `Thought:\n\n\nAction:\n${action}`,
};

/** Returns the first line that is not blank after each `Action:`, which Markdown may have made bold, and Chinese text may have written with a wide colon. */
function linesAfterAction(text: string): string[] {
  return [...text.matchAll(/Action(?:\*\*)?[:：](?:\*\*)?\s*(?:```\w*[^\S\n]*\n\s*)?([^\n]*)/g)].map(
    ([, line]) => line as string,
  );
}

/** Removes spaces around an action, and the quotation marks of code in Markdown. */
function unquoted(line: string): string {
  const action = line.trim();
  const inside = /^(`{1,3})([^`]*)\1$/.exec(action)?.[2];
  return inside === undefined ? action : inside.trim();
}
