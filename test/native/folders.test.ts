/** The folders of the C++ sources: few files in each, and no circle of folders by #include. */
import { posix } from "node:path";
import { expect, test } from "vitest";
import { testTree } from "../support/tracked-files.js";

type Sources = Record<string, string>;

const isSource = /^native\/.*\.(cc|cu|h)$/;
const mostFiles = 20;

/** Returns the folders whose files each folder includes, directly or not. */
function reaches(sources: Sources): Map<string, Set<string>> {
  const included = new Map<string, Set<string>>();
  for (const [file, text] of Object.entries(sources)) {
    const folder = posix.dirname(file);
    const others = included.get(folder) ?? new Set();
    included.set(folder, others);
    for (const [, path = ""] of text.matchAll(/^#include "([^"]+)"/gm)) {
      const target = posix.join(folder, path);
      if (target in sources && posix.dirname(target) !== folder) others.add(posix.dirname(target));
    }
  }
  for (const others of included.values()) {
    // A set visits what is added during the loop.
    for (const other of others) for (const further of included.get(other) ?? []) others.add(further);
  }
  return included;
}

function foldersInCircles(sources: Sources): string[] {
  return [...reaches(sources)].flatMap(([folder, others]) => (others.has(folder) ? [folder] : [])).sort();
}

testTree("no circle of folders is left", (files) => {
  const sources = files.filter(({ path }) => isSource.test(path)).map(({ path, text }) => [path, text] as const);
  expect(sources.length).toBeGreaterThan(0);
  expect(foldersInCircles(Object.fromEntries(sources))).toEqual([]);
});

test("a circle of three folders is found", () => {
  const sources = {
    "native/a/x.h": `#include <cmath>\n\n#include "../b/y.h"`,
    "native/b/y.h": `#include "../c/d/z.h"`,
    "native/c/d/z.h": "",
    "native/c/d/w.h": `#include "../../a/x.h"\n#include "z.h"`,
    "native/e/v.cc": `#include "../a/x.h"`,
  };
  expect(foldersInCircles(sources)).toEqual(["native/a", "native/b", "native/c/d"]);
  expect(foldersInCircles({ ...sources, "native/c/d/w.h": "" })).toEqual([]);
});

testTree(`no folder has more than ${mostFiles} files`, (files) => {
  const counts = new Map<string, number>();
  for (const { path } of files.filter(({ path }) => isSource.test(path))) {
    counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
  }
  expect([...counts].filter(([, count]) => count > mostFiles)).toEqual([]);
});
