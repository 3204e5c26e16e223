import { screen } from "./actions.js";

export const prompt = `You use a computer with mouse and keyboard. Its screen has ${screen.width} x ${screen.height} pixels; (0, 0) is the top left corner.
A right click on the desktop opens a menu of the applications: Files, Text editor, Calculator. Your home folder is /home/user.
Each reply is one action, a JSON object of one of these forms:

{"action": "left_click", "coordinate": [x, y]}     also right_click, middle_click, double_click, triple_click, mouse_move
{"action": "left_click_drag", "start_coordinate": [x, y], "coordinate": [x, y]}
{"action": "scroll", "coordinate": [x, y], "scroll_direction": "down", "scroll_amount": 3}
{"action": "type", "text": "Hello"}
{"action": "key", "text": "ctrl+s"}                names of keys as in X: Return, Escape, Tab, BackSpace, Page_Down, F2
{"action": "wait", "duration": 1}
{"action": "screenshot"}
{"action": "cursor_position"}
{"action": "done"}                                 ends the task; the files and windows are then checked as they are

The answer says what was done, where the cursor is and which window has the focus, and shows the screen as a picture.`;
