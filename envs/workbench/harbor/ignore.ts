/** Applies `.harborignore` files, which exclude tests and solution files of a task with the patterns of .gitignore. */

interface Pattern {
  expression: RegExp;
  isNegated: boolean;
}

export interface Ignore {
  /** Folder of the `.harborignore` file, relative to the task directory. The path is `""` for the directory itself. */
  folder: string;
  patterns: readonly Pattern[];
}

export const ignoreName = ".harborignore";

export function parseIgnore(folder: string, text: string): Ignore {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/(?<!\\)\s+$/, ""));
  const patterns = lines.filter((line) => line !== "" && !line.startsWith("#")).map(patternOf);
  return { folder, patterns };
}

/**
 * Whether a file is excluded.
 *
 * @param path path relative to the task directory
 */
export function isIgnored(path: string, ignores: readonly Ignore[]): boolean {
  if (path === ignoreName || path.endsWith(`/${ignoreName}`)) return true;
  const parts = path.split("/");
  // As in Git, a file cannot be included again if a folder around the file is left out.
  return parts.some((_, at) => {
    const isFolder = at < parts.length - 1;
    return isMatched(parts.slice(0, at + 1).join("/"), isFolder, ignores);
  });
}

function isMatched(path: string, isFolder: boolean, ignores: readonly Ignore[]): boolean {
  let ignored = false;
  for (const { folder, patterns } of ignores) {
    if (folder !== "" && !path.startsWith(`${folder}/`)) continue;
    const inside = folder === "" ? path : path.slice(folder.length + 1);
    for (const { expression, isNegated } of patterns)
      if (expression.test(isFolder ? `${inside}/` : inside)) ignored = !isNegated;
  }
  return ignored;
}

function patternOf(line: string): Pattern {
  const isNegated = line.startsWith("!");
  const body = line.replace(/^!/, "").replace(/^\\(?=[!#])/, "");
  const isForFolders = body.endsWith("/");
  const bare = body.replace(/\/$/, "");
  const isAnchored = bare.includes("/");
  const source = sourceOf(bare.replace(/^\//, ""));
  const end = isForFolders ? "/$" : "/?$";
  return { expression: expressionOf(`^${isAnchored ? "" : "(?:.*/)?"}${source}${end}`), isNegated };
}

/** Compiles a regular expression. As in Git, an invalid expression, such as the range [z-a], matches nothing. */
function expressionOf(source: string): RegExp {
  try {
    return new RegExp(source, "s");
  } catch {
    return /(?!)/;
  }
}

function sourceOf(glob: string): string {
  // Two `**/` in a row mean the same as one `**/`, but would take quadratic time.
  const parts = glob.replace(/(\*\*\/)+/g, "**/").split(/(\*\*\/|\/\*\*$|\*+|\?|\[[^\]]+\])/);
  return parts
    .map((part) => {
      if (part === "**/") return "(?:.*/)?";
      if (part === "/**") return "/.*";
      if (/^\*+$/.test(part)) return "[^/]*";
      if (part === "?") return "[^/]";
      if (/^\[.+\]$/.test(part)) return part.replace(/^\[!/, "[^").replace(/\\/g, "\\\\");
      return part.replace(/\\(.)/g, "$1").replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    })
    .join("");
}

/** Compiles the patterns in an artifact's `exclude`. As in tar's --exclude, a pattern matches a name or a path. */
export function excludes(patterns: readonly string[]): (path: string) => boolean {
  const ignore: Ignore = {
    folder: "",
    patterns: patterns.filter((one) => one !== "").map((one) => patternOf(one.replace(/^!/, "\\!"))),
  };
  return (path) => isIgnored(path, [ignore]);
}
