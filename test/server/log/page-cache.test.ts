import { expect, test } from "vitest";
import { placesPerPage } from "#palestra/server/log/records/step-page.js";
import { PageCache } from "#palestra/server/log/sqlite/page-cache.js";

/** A cache over pages of equal length, and the keys of the pages that it has read. */
function open(length: number): { page(number: number): readonly string[]; read: number[]; cache: PageCache } {
  const read: number[] = [];
  const cache = new PageCache((page) => {
    read.push(page);
    return { text: `head ${page}\n${"x".repeat(length)}\n`, atMs: 1_000 * page };
  });
  return { page: (number) => cache.pageOf(number * placesPerPage + 17).lines, read, cache };
}

test("a page is read and split once for all steps on it", () => {
  const { page, read, cache } = open(10);
  expect(page(3)).toEqual(["head 3", "xxxxxxxxxx", ""]);
  expect(cache.pageOf(3 * placesPerPage).atMs).toBe(3_000);
  expect(cache.pageOf(4 * placesPerPage - 1)).toBe(cache.pageOf(3 * placesPerPage));
  expect(read).toEqual([3]);
});

test("the cache is bounded, and the least recently used pages are dropped first", () => {
  const { page, read } = open(2 ** 23);
  for (const number of [1, 2, 3, 1, 4, 1, 3, 2]) page(number);
  expect(read).toEqual([1, 2, 3, 4, 2]);
});

test("a page larger than the cache is read anew each time", () => {
  const { page, read } = open(2 ** 25);
  expect([page(1)[0], page(2)[0], page(2)[0], page(1)[0]]).toEqual(["head 1", "head 2", "head 2", "head 1"]);
  expect(read).toEqual([1, 2, 2, 1]);
});

test("pages are read again after a clear", () => {
  const { page, read, cache } = open(10);
  page(1);
  cache.clear();
  page(1);
  expect(read).toEqual([1, 1]);
});
