/** The commands and programs of the README, in its order. */

export interface ReadmeStep {
  /** `sh`: one command. `curl`: a whole block of the shell. `python`, `ts`: a program. */
  readonly kind: "sh" | "curl" | "python" | "ts";
  readonly text: string;
}

/** A fenced block, or a command in the running text. */
const piece = /^```(\w*)\n(.*?)^```$|`((?:npm|npx palestra) [^`]+)`/gms;

/** @param readme Markdown. A command that is named twice is a step once. */
export function readmeSteps(readme: string): ReadmeStep[] {
  const steps = [...readme.matchAll(piece)].flatMap(([, language, block = "", inline]): ReadmeStep[] => {
    if (inline !== undefined) return [{ kind: "sh", text: inline.replace(/\s+/g, " ") }];
    if (language === "python" || language === "ts") return [{ kind: language, text: block }];
    if (language !== "sh") return [];
    if (block.includes("curl")) return [{ kind: "curl", text: block }];
    return block.split("\n").map(withoutComment).filter(Boolean).map(asCommand);
  });
  return steps.filter(({ text }, at) => steps.findIndex((other) => other.text === text) === at);
}

function withoutComment(line: string): string {
  return line.replace(/\s+#\s.*$/, "").trim();
}

function asCommand(text: string): ReadmeStep {
  return { kind: "sh", text };
}
