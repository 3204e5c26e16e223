import { expect, test } from "vitest";
import { terminalLog } from "#palestra/server/app/plugins/terminal-log.js";

function shown(...entries: unknown[]): string {
  let text = "";
  const log = terminalLog({ write: (part) => (text += part) });
  for (const entry of entries) log.write(typeof entry === "string" ? entry : `${JSON.stringify(entry)}\n`);
  return text;
}

const time = new Date(2030, 0, 1, 7, 8, 9).getTime();
const common = { time, pid: 1, hostname: "here", reqId: "req-1" };

test("a line of the log becomes a readable line", () => {
  expect(shown({ ...common, level: 40, msg: "an episode failed", environment: "maze@1", status: 500 })).toBe(
    "07:08:09 warn an episode failed (environment: maze@1, status: 500)\n",
  );
  expect(shown({ ...common, level: 30, msg: "draining" })).toBe("07:08:09 info draining\n");
});

test("an error shows its stack", () => {
  const err = { type: "Error", message: "broken", stack: "Error: broken\n    at maze.js:1:1" };
  expect(shown({ ...common, level: 50, msg: "fault in the gym", err })).toBe(
    "07:08:09 error fault in the gym\nError: broken\n    at maze.js:1:1\n",
  );
});

test("text from outside cannot control the terminal", () => {
  const text = shown({ ...common, level: 40, msg: "x", url: "/\u001b[2J\u0007\u009b31m\u007f\r\nnext" });
  expect(text).toBe("07:08:09 warn x (url: /\\x1b[2J\\x07\\x9b31m\\x7f\\x0d next)\n");
});

test("the framework's line about the address is dropped, and other text is printed unchanged", () => {
  expect(shown({ ...common, level: 30, msg: "Server listening at http://127.0.0.1:8700" })).toBe("");
  expect(shown("plain\n")).toBe("plain\n");
});
