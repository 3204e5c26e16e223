/** The commands and programs of pages, in their order. */

export interface Page {
  /** Path in the repository. */
  readonly page: string;
  /** Markdown. */
  readonly text: string;
}

export interface ReadmeStep {
  /** Path of the page. */
  readonly page: string;
  /** `sh`: one command. `curl`: a whole block of shell commands. `python`, `ts`: a program. */
  readonly kind: "sh" | "curl" | "python" | "ts";
  readonly text: string;
}

/** A fenced block, or a command in the running text. */
const piece = /^```(\w*)\n(.*?)^```$|`((?:npm|npx palestra) [^`]+)`/gms;

/** Indentation of the blocks of a numbered list. */
const listIndent = /^ {3}/gm;

/** @returns the steps of all pages in their order; a repeated command is one step */
export function readmeSteps(pages: readonly Page[]): ReadmeStep[] {
  const steps = pages.flatMap(stepsOf);
  return steps.filter(({ text }, at) => steps.findIndex((other) => other.text === text) === at);
}

function stepsOf({ page, text }: Page): ReadmeStep[] {
  return [...text.replace(listIndent, "").matchAll(piece)].flatMap(([, language, block = "", inline]): ReadmeStep[] => {
    if (inline !== undefined) return [{ page, kind: "sh", text: inline.replace(/\s+/g, " ") }];
    if (language === "python" || language === "ts") return [{ page, kind: language, text: block }];
    if (language !== "sh") return [];
    if (block.includes("curl")) return [{ page, kind: "curl", text: block }];
    const commands = block.split("\n").map(withoutComment).filter(Boolean);
    return commands.map((command) => ({ page, kind: "sh", text: command }));
  });
}

function withoutComment(line: string): string {
  return line.replace(/\s+#\s.*$/, "").trim();
}
