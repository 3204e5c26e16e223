/** The checks of logs with more pages and episodes than a `Set` or a `Map` can have. */
import { expect, test } from "vitest";
import { ExtentChecks } from "#palestra/server/log/copy/check-extents.js";
import { PageRanges } from "#palestra/server/log/copy/page-ranges.js";
import { placesPerPage } from "#palestra/server/log/records/step-page.js";
import { ExtentOrder } from "#palestra/server/log/sqlite/verify.js";

/** A `Set` holds at most 2^24 numbers. */
const many = 2 ** 24 + 10;

test("a copy checks the extents of a log with more than 2^24 pages", () => {
  const checks = new ExtentChecks();
  // Pages in the middle are missing, as after a pruning.
  const missing = 5_000_000;
  const page: [number] = [0];
  for (page[0] = 1; page[0] <= many; page[0]++) if (page[0] !== missing) checks.addPages([page]);
  const extent = (index: number, page: number) => [7, index, page, page, JSON.stringify([page * placesPerPage]), 1];
  checks.check([extent(0, 1), extent(1, missing - 1), extent(2, missing + 1), extent(3, many)]);
  expect(checks.steps).toBe(4);
  expect(() => checks.check([extent(4, missing)])).toThrow(`Page ${missing}`);
  expect(() => checks.check([extent(4, many + 1)])).toThrow(`Page ${many + 1}`);
});

test("a check finds missing steps in a log with more than 2^24 episodes", () => {
  const order = new ExtentOrder();
  let found = 0;
  for (let episode = 1; episode <= many; episode++) if (order.add(episode, 0, 3) !== null) found += 1;
  expect(found).toBe(0);
  expect(order.add(many, 3, 2)).toBeNull();
  expect(order.add(many, 7, 1)).toBe(5);
  expect(order.add(many + 1, 1, 1)).toBe(0);
});

test("ranges of pages contain exactly the added pages, in ascending order", () => {
  const ranges = new PageRanges();
  expect(ranges.has(1)).toBe(false);
  const pages = new Set([1, 2, 3, 5, 8, 9, 10, 65_536]);
  for (const page of pages) ranges.add(page);
  for (const page of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 65_535, 65_536, 65_537])
    expect(ranges.has(page), `page ${page}`).toBe(pages.has(page));
  expect(() => ranges.add(65_536)).toThrow("expected a page after page 65536, but received page 65536");
});
