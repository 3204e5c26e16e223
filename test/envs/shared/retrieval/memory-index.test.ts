import { expect, test } from "vitest";
import { memoryIndex } from "#palestra/envs/shared/retrieval/embedded/memory-index.js";

const page = (id: string, text: string) => ({ id, title: `Page ${id}`, text, links: [] });

test("pages in memory are searched and opened", () => {
  const index = memoryIndex([
    page("a", "A heron stands in the marsh."),
    page("b", "A clock stands still."),
    page("c", ""),
  ]);
  expect(index.search("heron", 5).map(({ id }) => id)).toEqual(["a"]);
  expect(index.search("page c", 1).map(({ id }) => id)).toEqual(["c"]);
  expect(index.search("?!", 5)).toEqual([]);
  expect(index.open("b", 2)).toMatchObject({ id: "b", text: "clock stands still.", offset: 2, length: 21 });
  expect(index.open("d", 0)).toBeNull();
  index.close();
  index.close();
});

test("an index without pages finds nothing", () => {
  const index = memoryIndex([]);
  expect(index.search("heron", 5)).toEqual([]);
  index.close();
});

test("two pages with one id are refused", () => {
  expect(() => memoryIndex([page("a", "one"), page("a", "two")])).toThrow(
    new RangeError(`expected pages with unique ids, but received "a" twice`),
  );
});
