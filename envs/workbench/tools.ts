/** The actions as tools. The file `actions.ts` defines the text form of the actions. */
import type { Tool, ToolParameter } from "../env.js";

const path: ToolParameter = {
  type: "string",
  description: "Path of the file. A relative path starts at the working folder.",
  pattern: "^[^\\n]+$",
};

function tool(name: string, description: string, action: string, properties: Record<string, ToolParameter>): Tool {
  const required = Object.keys(properties);
  return {
    name,
    description,
    parameters: { type: "object", properties, required, additionalProperties: false },
    action,
  };
}

export const tools: readonly Tool[] = [
  tool(
    "bash",
    "Run commands in a bash shell, which keeps its folder and variables. Returns the exit code and the output.",
    "bash {command}",
    { command: { type: "string", description: "One command or several lines of them." } },
  ),
  tool(
    "python",
    "Run Python code in a new python3 process in the working folder. Returns the exit code and the output.",
    "python {code}",
    { code: { type: "string", description: "The program." } },
  ),
  tool("read_file", "Read a text file.", "read_file {path}", { path }),
  tool("write_file", "Write a text file. Folders on the way are made.", "write_file {path}\n{content}", {
    path,
    content: { type: "string", description: "The whole new content, letter for letter." },
  }),
  tool("submit", "Hand in the work. The files are graded as they are, and the task ends.", "submit", {}),
];
