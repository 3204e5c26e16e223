/** The steps of a day that all gyms of a database have counted, for `palestra token list`. */
import type { Usage, UseCounts } from "../episodes/quotas/quota.js";
import type { SharedDatabase } from "../log/postgres/session/shared-database.js";

/** @param day `YYYY-MM-DD` */
export async function usageIn(database: SharedDatabase, day: string): Promise<Usage> {
  const rows = await database.run<{ counts: string }>({
    text: "SELECT counts FROM palestra.uses WHERE day = $1",
    values: [day],
  });
  const usage: Usage = { day, callers: {}, groups: {} };
  for (const { counts } of rows) {
    const { callers, groups } = JSON.parse(counts) as UseCounts;
    for (const [owner, [, , steps]] of Object.entries(callers)) add(usage.callers, owner, steps);
    for (const [name, [, , steps]] of Object.entries(groups)) add(usage.groups, name, steps);
  }
  return usage;
}

function add(sums: Record<string, number>, name: string, steps: number): void {
  sums[name] = (sums[name] ?? 0) + steps;
}
