/** Counts of each gym against the limits of tokens. A gym publishes its counts, and reads those of the other gyms. */
import type { OthersUse, PublishedUse } from "../../records/protocol.js";
import type { Readers } from "../session/readers.js";

interface Known extends OthersUse {
  version: number;
}

/** Days after which the counts of an ended gym are removed. The number leaves room for wrong clocks of gyms. */
const keptDays = 2;

export class Uses {
  private readonly known = new Map<number, Known>();
  private published: PublishedUse = { day: "", counts: "" };

  constructor(
    private readonly readers: Readers,
    private readonly incarnation: number,
  ) {}

  /** See `FleetCalls.shareUse`. */
  async share(own: PublishedUse): Promise<OthersUse[] | null> {
    if (own.day !== this.published.day) await this.removeOld();
    if (own.day !== this.published.day || own.counts !== this.published.counts) await this.publish(own);
    this.published = own;
    return this.read(own.day);
  }

  private async publish({ day, counts }: PublishedUse): Promise<void> {
    await this.readers.run({
      name: "publish",
      text: `INSERT INTO palestra.uses AS uses SELECT $1, 1, $2, $3 FROM palestra.fences WHERE incarnation = $1 AND live
        ON CONFLICT (incarnation) DO UPDATE
          SET version = uses.version + 1, day = excluded.day, counts = excluded.counts`,
      values: [this.incarnation, day, counts],
    });
  }

  /** The texts of known rows are not read again. */
  private async read(day: string): Promise<OthersUse[] | null> {
    const rows = await this.readers.run<Omit<Known, "counts"> & { incarnation: number; counts: string | null }>({
      name: "uses",
      text: `SELECT incarnation, live AS "isLive", uses.version, day,
          CASE WHEN known.version IS DISTINCT FROM uses.version THEN counts END AS counts
        FROM palestra.uses AS uses JOIN palestra.fences USING (incarnation)
          LEFT JOIN unnest($3::bigint[], $4::bigint[]) AS known(incarnation, version) USING (incarnation)
        WHERE incarnation <> $1 AND (live OR day = $2)`,
      values: [this.incarnation, day, [...this.known.keys()], [...this.known.values()].map(({ version }) => version)],
    });
    const isSame =
      rows.length === this.known.size &&
      rows.every(
        ({ incarnation, counts, isLive }) => counts === null && this.known.get(incarnation)?.isLive === isLive,
      );
    if (isSame) return null;
    const before = new Map(this.known);
    this.known.clear();
    for (const { incarnation, counts, ...row } of rows)
      this.known.set(incarnation, { ...row, counts: counts ?? before.get(incarnation)?.counts ?? "" });
    return [...this.known.values()].map(({ version, ...use }) => use);
  }

  private async removeOld(): Promise<void> {
    await this.readers.run({
      text: `DELETE FROM palestra.uses AS uses USING palestra.fences f WHERE f.incarnation = uses.incarnation AND NOT live
        AND day < to_char((now() AT TIME ZONE 'UTC') - interval '${keptDays} days', 'YYYY-MM-DD')`,
    });
    await this.readers.run({
      text: `DELETE FROM palestra.unindexed u USING palestra.fences f WHERE f.incarnation = u.incarnation AND settled`,
    });
  }
}
