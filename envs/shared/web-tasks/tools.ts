/** WebArena's actions as tools. The file `envs/shared/browser/actions/web-action.ts` defines the text form of the actions. */

import type { Tool, ToolParameter } from "../../env.js";
import { text, tool } from "../browser/tools.js";

const id: ToolParameter = { type: "integer", description: "Number of the element, as in `[12] link 'Home'`." };

export const tools: readonly Tool[] = [
  tool("click", "Click on an element.", "click [{id}]", { id }),
  tool("type", "Type a text into a field. What stands in it stays.", "type [{id}] [{text}] [{enter}]", {
    id,
    text: text("The text."),
    enter: { type: "string", description: "Whether Enter is pressed afterwards: 1 or 0.", enum: ["0", "1"] },
  }),
  tool("hover", "Move the mouse over an element.", "hover [{id}]", { id }),
  tool("press", "Press a key, or keys together.", "press [{keys}]", { keys: text("Such as `Enter` or `Ctrl+a`.") }),
  tool("scroll", "Scroll the page.", "scroll [{direction}]", {
    direction: { type: "string", description: "Where to scroll.", enum: ["down", "up"] },
  }),
  tool("goto", "Go to an address.", "goto [{url}]", { url: text("The address, with http://.") }),
  tool("new_tab", "Open a new tab.", "new_tab"),
  tool("tab_focus", "Bring a tab to the front.", "tab_focus [{index}]", {
    index: { type: "integer", description: "Its index, from 0." },
  }),
  tool("close_tab", "Close the tab in front.", "close_tab"),
  tool("go_back", "Go to the page before.", "go_back"),
  tool("go_forward", "Go to the page that go_back has left.", "go_forward"),
  tool("stop", "End the task.", "stop [{answer}]", {
    answer: text("The answer, where the task asks for one; `N/A` if it cannot be done; else empty."),
  }),
];
