/** Durability of a log in PostgreSQL: the failures that its acknowledged steps survive. */
import type { LogDurability } from "../../records/protocol.js";
import type { Session } from "./session.js";

/**
 * Returns `replicated` if each commit waits until a standby has stored it, and such a standby is connected. A user
 * without the rights of `pg_monitor` can see that standbys are connected, but not whether they are synchronous.
 */
export async function readDurability(run: Session["run"]): Promise<LogDurability> {
  const [found] = await run<{ replicated: boolean }>({
    name: "durability",
    text: `SELECT current_setting('synchronous_standby_names') <> '' AND EXISTS (
        SELECT 1 FROM pg_stat_replication WHERE coalesce(sync_state IN ('sync', 'quorum'), true)) AS replicated`,
  });
  return found?.replicated ? "replicated" : "local";
}

/** Returns a warning if the server does not notice changed bits in its pages, or null. */
export async function checksumWarning(run: Session["run"]): Promise<string | null> {
  const [found] = await run<{ sums: string }>({ text: "SELECT current_setting('data_checksums') AS sums" });
  if (found?.sums !== "off") return null;
  return "PostgreSQL has no checksums of its pages, so rows that damage hides are missed in silence: stop the server, and turn them on with `pg_checksums --enable`";
}

/** Returns the reason why a log without a synchronous standby is refused. */
export const noStandby =
  "expected a synchronous standby of the database, as the setting log.durability asks, but none is connected. Name it in `synchronous_standby_names` of the server, or set log.durability to local";
