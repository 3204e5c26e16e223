/** Rules of the tree: the names at the top, the length of files and functions, and words that no file may contain. */
import { posix } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { root, type TrackedFile, testTree } from "./support/tracked-files.js";

/**
 * Returns the functions with more than `limit` lines, without blank lines, as `path:line`. A nested function also
 * counts for the outer one.
 */
function longFunctions({ path, text }: TrackedFile, limit: number): string[] {
  const long: string[] = [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && linesOf(node) > limit) {
      long.push(`${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return long;
}

function linesOf(node: ts.Node): number {
  return node
    .getText()
    .split("\n")
    .filter((line) => line.trim() !== "").length;
}

/** Lists the files that a tsconfig includes, as paths from the root. */
function filesOfProject(config: string): string[] {
  const path = posix.join(root, config);
  const { fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path, ts.sys.readFile).config,
    ts.sys,
    posix.dirname(path),
  );
  return fileNames.map((name) => posix.relative(root, name));
}

describe("the tree", () => {
  const topLevel = [
    ...["package.json", "package-lock.json", "tsconfig.json", "README.md", "LICENSE", "NOTICE"],
    ...[".ci", ".config", ".gitattributes", ".github", ".gitignore", ".npmrc"],
    ...["server", "envs", "sandboxes", "trainer", "native", "openapi", "test"],
  ];
  const isProse = (path: string) => path.endsWith(".md") || path === "LICENSE";
  const isGenerated = (path: string) =>
    /(^|\/)package-lock\.json$|^openapi\/gym\.|^\.github\/images\/|\/data\/|\/fixtures\//.test(path);

  testTree("has no top-level name that is not on the architecture page", (files) => {
    const names = new Set(files.map(({ path }) => path.split("/")[0] ?? ""));
    expect([...names].filter((name) => !topLevel.includes(name))).toEqual([]);
  });

  testTree("has no TypeScript that no tsconfig includes", (files) => {
    const checked = ["tsconfig.json", "test/tsconfig.json", "server/ui/tsconfig.json"].flatMap(filesOfProject);
    const sources = files.map(({ path }) => path).filter((path) => /\.tsx?$/.test(path));
    expect(sources.filter((path) => !checked.includes(path))).toEqual([]);
  });

  testTree("has no file with more than 500 lines", (files) => {
    const long = files.filter(
      ({ path, text }) => !isProse(path) && !isGenerated(path) && text.split("\n").length > 501,
    );
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  testTree("has no function with more than 80 lines outside test/", (files) => {
    const code = files.filter(
      ({ path }) => /\.m?tsx?$|\.mjs$/.test(path) && !path.startsWith("test/") && !isGenerated(path),
    );
    expect(code.flatMap((file) => longFunctions(file, 80))).toEqual([]);
  });

  test("is refused for a function of 81 lines, and not for one of 80", () => {
    const functionOf = (lines: number) => `\nconst f = () => {\n${"f();\n\n".repeat(lines - 2)}};\n`;
    expect(longFunctions({ path: "a.ts", text: functionOf(81) }, 80)).toEqual(["a.ts:2"]);
    expect(longFunctions({ path: "a.ts", text: functionOf(80) }, 80)).toEqual([]);
  });

  testTree("names no folder of a particular machine and no package registry", (files) => {
    // The words are split, so that this file does not contain them either.
    const folders = ["work", "root"].map((name) => `/${name}/`).concat(`/tmp/${"research"}`);
    const hosts = ["registry.npm", "pypi.", "python", "deb.deb"].map(
      (start, at) => start + ["js", "org", "hosted", "ian"][at],
    );
    const named = files
      .filter(({ path }) => !path.endsWith("package-lock.json"))
      .flatMap(({ path, text }) =>
        [...folders, ...hosts].filter((name) => text.includes(name)).map((name) => `${path}: ${name}`),
      );
    expect(named).toEqual([]);
  });
});
