/** The desktop's actions as tools. The file `actions.ts` defines the text form of the actions. */
import type { Tool, ToolParameter } from "../env.js";
import { screen } from "./actions.js";

const x: ToolParameter = { type: "integer", description: `Pixels from the left, 0 to ${screen.width - 1}.` };
const y: ToolParameter = { type: "integer", description: `Pixels from the top, 0 to ${screen.height - 1}.` };

/** @param parameters JSON text of the parameters, which follows the action's name */
function tool(name: string, description: string, parameters: string, properties: Record<string, ToolParameter>): Tool {
  return {
    name,
    description,
    parameters: { type: "object", properties, required: Object.keys(properties), additionalProperties: false },
    action: `{"action": "${name}"${parameters}}`,
  };
}

function pointed(name: string, description: string): Tool {
  return tool(name, description, ', "coordinate": [{x}, {y}]', { x, y });
}

export const tools: readonly Tool[] = [
  tool("key", "Press a key, keys together, or several one after the other.", ', "text": "{text}"', {
    text: { type: "string", description: "Names of keys, such as `Return`, `ctrl+s` or `Down Down space`." },
  }),
  tool("type", "Type text into the window that has the focus. A line feed presses Return.", ', "text": "{text}"', {
    text: { type: "string", description: "The text, letter for letter." },
  }),
  pointed("mouse_move", "Move the cursor."),
  pointed("left_click", "Move the cursor and click the left button."),
  tool(
    "left_click_drag",
    "Press the left button at one place and let it go at another.",
    ', "start_coordinate": [{start_x}, {start_y}], "coordinate": [{x}, {y}]',
    { start_x: x, start_y: y, x, y },
  ),
  pointed("right_click", "Move the cursor and click the right button."),
  pointed("middle_click", "Move the cursor and click the middle button."),
  pointed("double_click", "Move the cursor and click the left button twice."),
  pointed("triple_click", "Move the cursor and click the left button three times."),
  tool(
    "scroll",
    "Move the cursor and turn the wheel.",
    ', "coordinate": [{x}, {y}], "scroll_direction": "{direction}", "scroll_amount": {amount}',
    {
      x,
      y,
      direction: { type: "string", description: "Where to scroll.", enum: ["up", "down", "left", "right"] },
      amount: { type: "integer", description: "Notches of the wheel, 1 to 50." },
    },
  ),
  tool("wait", "Wait, and look again.", ', "duration": {duration}', {
    duration: { type: "integer", description: "Seconds, 0 to 10." },
  }),
  tool("screenshot", "Look at the screen.", "", {}),
  tool("cursor_position", "Ask where the cursor is.", "", {}),
  tool("done", "End the task. The files and windows are checked as they are.", "", {}),
];
