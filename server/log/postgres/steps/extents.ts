/** Extents: the index of steps by episode. See `StepTable` in the SQLite log, which has the same index. */
import { bytesOfSteps, placesPerPage, readPlaces, type StepPage } from "../../records/step-page.js";
import type { Extent, UnindexedSteps } from "../../records/unindexed-steps.js";

export interface ExtentRow {
  episode: number;
  lastIndex: number;
  firstPage: number;
  lastPage: number;
  /** JSON array of places. */
  places: string;
  /** Bytes of the extent's own steps and of its list of places. */
  bytes: number;
}

/** @param stepBytes bytes of the steps, or 0 if another extent counts them */
export function extentRow(episode: number, { lastIndex, places }: Extent, stepBytes: number): ExtentRow {
  const text = JSON.stringify(places);
  const [firstPage, lastPage] = [pageOf(places[0] as number), pageOf(places.at(-1) as number)];
  return { episode, lastIndex, firstPage, lastPage, places: text, bytes: stepBytes + text.length };
}

export function extentRows(steps: UnindexedSteps): ExtentRow[] {
  return steps.byEpisode().map(([episode, extent]) => extentRow(episode, extent, extent.bytes));
}

/** Adds the steps of a page to an index in memory. Returns the bytes of the page. */
export function addPage(steps: UnindexedSteps, page: number, { places, lines }: StepPage): number {
  const bytes = bytesOfSteps(lines);
  steps.add(page, { places, bytes, characters: lines.length });
  steps.checkpoint();
  return bytes.reduce((sum, size) => sum + size, 0);
}

/** Returns a stored page in its original form. */
export function pageFrom(lines: string): StepPage {
  return { places: readPlaces(lines), lines };
}

export function pageOf(place: number): number {
  return Math.floor(place / placesPerPage);
}
