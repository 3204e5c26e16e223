/**
 * Parses and formats the text of actions. The first word is the name of the tool. The unchanged text after the next
 * space or line feed is the argument of the tool:
 *
 *     bash COMMAND            one or more lines
 *     python CODE
 *     read_file PATH          one line
 *     write_file PATH         one line; the content begins on the next line
 *     CONTENT
 *     submit
 */

export type Action =
  | { tool: "bash"; command: string }
  | { tool: "python"; code: string }
  | { tool: "read_file"; path: string }
  | { tool: "write_file"; path: string; content: string }
  | { tool: "submit" };

export interface WrongAction {
  tool: "none";
  /** Observation for the agent, with the expected format. */
  observation: string;
}

const forms = [
  "bash COMMAND",
  "python CODE",
  "read_file PATH",
  "write_file PATH with the content from the next line on",
  "submit",
];

export function parseAction(text: string): Action | WrongAction {
  const [, tool = "", rest] = /^([a-z_]*)(?:[ \n]([\s\S]*))?$/.exec(text) ?? [];
  if (tool === "submit" && (rest ?? "").trim() === "") return { tool };
  if (tool === "bash" || tool === "python") return program(tool, rest ?? "");
  if (tool === "read_file") return file(tool, rest ?? "", undefined);
  if (tool === "write_file") {
    const [, path = "", content] = /^([^\n]*)(?:\n([\s\S]*))?$/.exec(rest ?? "") ?? [];
    if (content === undefined) return wrong("write_file PATH, and the content from the next line on", text);
    return file(tool, path, content);
  }
  return wrong(`one of ${forms.join(", ")}`, text);
}

/** Formats an action. This is the inverse of `parseAction`. A path must not contain line feeds. */
export function actionText(action: Action): string {
  switch (action.tool) {
    case "bash":
      return `bash ${action.command}`;
    case "python":
      return `python ${action.code}`;
    case "read_file":
      return `read_file ${action.path}`;
    case "write_file":
      return `write_file ${action.path}\n${action.content}`;
    default:
      return "submit";
  }
}

function program(tool: "bash" | "python", text: string): Action | WrongAction {
  const what = tool === "bash" ? "a command" : "code";
  if (text.trim() === "") return wrong(`${what} after ${tool}`, tool);
  if (text.includes("\0")) return wrong(`${what} without NUL characters`, text);
  return tool === "bash" ? { tool, command: text } : { tool, code: text };
}

function file(tool: "read_file" | "write_file", path: string, content: string | undefined): Action | WrongAction {
  if (path === "" || /[\0\n]/.test(path)) return wrong(`one path after ${tool}`, `${tool} ${path}`);
  return content === undefined ? { tool: "read_file", path } : { tool: "write_file", path, content };
}

function wrong(expected: string, received: string): WrongAction {
  const shown = received.length > 60 ? `${received.slice(0, 60)}...` : received;
  return { tool: "none", observation: `Expected ${expected}, but received ${JSON.stringify(shown)}.` };
}
