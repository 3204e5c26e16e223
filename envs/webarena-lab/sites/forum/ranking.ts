/** Sort orders of submissions. */
import { day, now } from "../../clock.js";
import { type Submission, scoreOf } from "./rows.js";

export const sorts = {
  hot: "Hot",
  new: "New",
  active: "Active",
  top: "Top",
  controversial: "Controversial",
  most_commented: "Most commented",
} as const;

export type Sort = keyof typeof sorts;

export const ranges = {
  day: "Past 24 hours",
  week: "Past week",
  month: "Past month",
  year: "Past year",
  all: "All time",
} as const;

export type Range = keyof typeof ranges;

const days: Readonly<Record<Range, number>> = { day: 1, week: 7, month: 30, year: 365, all: Number.POSITIVE_INFINITY };

/** Whether a sort order accepts a time range. */
export function isRanged(sort: Sort): boolean {
  return sort === "top" || sort === "controversial" || sort === "most_commented";
}

const keys: Readonly<Record<Sort, (submission: Submission) => number>> = {
  hot: heatOf,
  new: ({ created }) => created,
  active: ({ active }) => active,
  top: scoreOf,
  controversial: controversyOf,
  most_commented: ({ comments }) => comments,
};

/** Sorts submissions, with the highest rank first. Of two submissions with equal rank, the newer one comes first. */
export function ranked(submissions: Iterable<Submission>, sort: Sort, range: Range = "all"): Submission[] {
  const since = isRanged(sort) ? now - days[range] * day : Number.NEGATIVE_INFINITY;
  const keyOf = keys[sort];
  const entries: { submission: Submission; key: number }[] = [];
  for (const submission of submissions)
    if (submission.created >= since) entries.push({ submission, key: keyOf(submission) });
  entries.sort((one, other) => other.key - one.key || other.submission.id - one.submission.id);
  return entries.map(({ submission }) => submission);
}

/** Returns the rank of a submission in the sort order "hot": its time plus a limited bonus for votes and comments. */
function heatOf(submission: Submission): number {
  const lent = scoreOf(submission) * 900_000 + submission.comments * 2_500_000;
  return submission.created + Math.max(-day, Math.min(2 * day, lent));
}

/** Returns the rank of a submission in the sort order "controversial", which is high for many, evenly divided votes. */
function controversyOf({ up, down }: Submission): number {
  if (up <= 0 || down <= 0) return 0;
  return (up + down) ** (Math.min(up, down) / Math.max(up, down));
}
