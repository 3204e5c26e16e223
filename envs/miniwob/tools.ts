/** MiniWoB++'s actions as tools. The file `actions.ts` defines the text form of the actions. */

import type { Tool, ToolParameter } from "../env.js";
import { integer, text, tool } from "../shared/browser/tools.js";

const id: ToolParameter = { type: "integer", description: "Number of the element, as in `[12] button 'Submit'`." };
const x = integer("Pixels from the left.");
const y = integer("Pixels from the top.");

export const tools: readonly Tool[] = [
  tool("click", "Click on an element.", "click [{id}]", { id }),
  tool("double_click", "Click on an element twice.", "double_click [{id}]", { id }),
  tool("triple_click", "Click on an element three times, which selects its line or paragraph.", "triple_click [{id}]", {
    id,
  }),
  tool("type", "Click on a field and type a text. What stands in it stays.", "type [{id}] [{text}] [{enter}]", {
    id,
    text: text("The text."),
    enter: { type: "string", description: "Whether Enter is pressed afterwards: 1 or 0.", enum: ["0", "1"] },
  }),
  tool("select", "Choose an entry of a list of choices.", "select [{id}] [{entry}]", {
    id,
    entry: text("The entry's text."),
  }),
  tool("hover", "Move the mouse over an element.", "hover [{id}]", { id }),
  tool("press", "Press a key, or keys together.", "press [{keys}]", { keys: text("Such as `Enter` or `Ctrl+a`.") }),
  tool("scroll", "Scroll the page.", "scroll [{direction}]", {
    direction: { type: "string", description: "Where to scroll.", enum: ["down", "up"] },
  }),
  tool("drag", "Drag an element onto another.", "drag [{from}] [{to}]", {
    from: integer("Number of the element to drag."),
    to: integer("Number of the element to drag it to."),
  }),
  tool("click_at", "Click at a place of the page.", "click_at [{x}] [{y}]", { x, y }),
  tool("hover_at", "Move the mouse to a place of the page.", "hover_at [{x}] [{y}]", { x, y }),
  tool(
    "drag_at",
    "Press the mouse at one place and let it go at another.",
    "drag_at [{from_x}] [{from_y}] [{to_x}] [{to_y}]",
    { from_x: x, from_y: y, to_x: x, to_y: y },
  ),
  tool("wait", "Wait.", "wait [{seconds}]", { seconds: text("Seconds, from 0.1 to 10.") }),
];
