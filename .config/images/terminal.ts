/** Plays a program in a terminal and keeps what it prints. The terminal is that of `script`, a program of util-linux. */
import { spawn } from "node:child_process";
import { root, SetupError } from "../step.mjs";
import { environment } from "./gym.js";

export const size = { columns: 84, rows: 28 };

/** Output of a program before the first line was typed, and after each typed line. */
export interface Recording {
  readonly opening: string;
  readonly turns: readonly { readonly typed: string; readonly reply: string }[];
}

/** Node's readline draws the prompt "> " with the cursor behind it. */
const prompt = "\u001b[1G\u001b[0J> \u001b[3G";

/** Runs a command, and types each line once the program asks for one. @throws if it fails or asks for more or fewer lines */
export async function recordTerminal(command: string, lines: readonly string[]): Promise<Recording> {
  const shell = `stty cols ${size.columns} rows ${size.rows} && exec ${command}`;
  const child = spawn("script", ["-q", "-e", "-f", "-c", shell, "/dev/null"], {
    ...{
      cwd: root,
      env: {
        ...environment,
        TERM: "xterm-256color",
        COLORTERM: "truecolor",
        SHELL: "/bin/sh",
        npm_config_progress: "false",
      },
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let output = "";
  let asked = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    for (; asked < lines.length && output.split(prompt).length - 1 > asked; asked += 1) {
      child.stdin.write(`${lines[asked]}\r`);
      // Without an end of its input, `script` waits for more after the program has ended.
      if (asked === lines.length - 1) child.stdin.end();
    }
  });
  const code = await new Promise((resolve, reject) => {
    child.once("close", resolve);
    child.once("error", () => reject(new SetupError("expected the program `script` of util-linux, but found none")));
  });
  const [opening = "", ...turns] = output.replaceAll("\r", "").split(prompt);
  if (code !== 0 || turns.length !== lines.length)
    throw new Error(
      `expected ${lines.length} prompts and code 0 of ${command}, but received ${turns.length} and ${code}`,
    );
  return { opening, turns: turns.map((turn, at) => turnOf(lines[at] as string, turn)) };
}

function turnOf(typed: string, turn: string) {
  const [echo = "", ...reply] = turn.split("\n");
  if (echo !== typed) throw new Error(`expected the terminal to show ${typed}, but received ${JSON.stringify(echo)}`);
  return { typed, reply: reply.join("\n") };
}
