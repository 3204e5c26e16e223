/**
 * Judgments in the PostgreSQL database of the log, where all gyms of a fleet find them. A judgment is committed before the
 * caller gets an answer. Judgments are never changed or removed, so a gym reads each of them once.
 */
import { createHash, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { GymError } from "../errors.js";
import type { SharedDatabase } from "../log/postgres/session/shared-database.js";
import { type Judgment, type JudgmentStore, mostOfOwner, tooManyJudgments } from "./judgment.js";
import { judgmentFile, judgmentsIn } from "./judgment-file.js";

/** Number of judgments of a file that one statement copies. */
const chunk = 1_000;

interface StoredJudgment {
  number: number;
  /** JSON object */
  judgment: string;
}

export class JudgmentDatabase implements JudgmentStore {
  private readonly byOwner = new Map<string, Judgment[]>();

  constructor(private readonly database: SharedDatabase) {}

  async of(owner: string): Promise<readonly Judgment[]> {
    const own = this.byOwner.get(owner) ?? [];
    this.byOwner.set(owner, own);
    const rows = await this.run<StoredJudgment>(
      "SELECT number, judgment FROM palestra.judgments WHERE owner = $1 AND number > $2 ORDER BY number",
      [owner, own.length],
    );
    for (const { number, judgment } of rows) {
      // Another call may have read the same rows meanwhile.
      if (number === own.length + 1) own.push({ number, ...(JSON.parse(judgment) as Omit<Judgment, "number">) });
    }
    return own;
  }

  async add(owner: string, judgment: Omit<Judgment, "number">): Promise<Judgment> {
    const id = randomUUID();
    const text = JSON.stringify(judgment);
    for (;;) {
      const number = (await this.insert(owner, id, text)) ?? (await this.numberOf(id));
      if (number !== null) return { number, ...judgment };
      if ((await this.of(owner)).length >= mostOfOwner) throw tooManyJudgments();
    }
  }

  async close(): Promise<void> {}

  /**
   * Copies the judgments of the file `judgments.jsonl` that are not in the database.
   *
   * @param tell receives a sentence about the file if some were copied, or if it cannot be read
   */
  async adopt(dataDir: string, tell: (text: string) => void): Promise<void> {
    const path = judgmentFile(dataDir);
    const bytes = await readFile(path).catch(() => null);
    if (bytes === null) return;
    let rows: { owner: string; id: string; judgment: string }[];
    try {
      rows = rowsIn(bytes);
    } catch (error) {
      return tell(`The judgments of ${path} are not in the database, because ${(error as Error).message}.`);
    }
    let copied = 0;
    for (let at = 0; at < rows.length; at += chunk) copied += await this.copy(rows.slice(at, at + chunk));
    if (copied > 0)
      tell(`${copied} judgments of ${path} were copied into the database. The file is not used any more.`);
  }

  /** Returns the number of judgments that were copied. A row whose number another gym has taken meanwhile is copied later. */
  private async copy(rows: readonly object[]): Promise<number> {
    for (let copied = 0; ; ) {
      const inserted = await this.run(
        `INSERT INTO palestra.judgments
          SELECT owner, before + row_number() OVER (PARTITION BY owner ORDER BY at), id, judgment
            FROM ROWS FROM (json_to_recordset($1::json) AS (owner text, id text, judgment text)) WITH ORDINALITY
              AS r(owner, id, judgment, at),
              LATERAL (SELECT coalesce(max(number), 0) AS before FROM palestra.judgments j WHERE j.owner = r.owner) AS last
            WHERE NOT EXISTS (SELECT 1 FROM palestra.judgments j WHERE j.id = r.id)
          ON CONFLICT DO NOTHING RETURNING 1`,
        [JSON.stringify(rows)],
      );
      if (inserted.length === 0) return copied;
      copied += inserted.length;
    }
  }

  /** Returns the number of the new judgment, or null if another one got this number, or if the owner has too many. */
  private async insert(owner: string, id: string, judgment: string): Promise<number | null> {
    const [inserted] = await this.run<{ number: number }>(
      `INSERT INTO palestra.judgments SELECT $1, coalesce(max(number), 0) + 1, $2, $3 FROM palestra.judgments
        WHERE owner = $1 HAVING coalesce(max(number), 0) < $4 ON CONFLICT DO NOTHING RETURNING number`,
      [owner, id, judgment, mostOfOwner],
    );
    return inserted?.number ?? null;
  }

  /** An insert whose connection broke is repeated, and may have been carried out before. */
  private async numberOf(id: string): Promise<number | null> {
    const [found] = await this.run<{ number: number }>("SELECT number FROM palestra.judgments WHERE id = $1", [id]);
    return found?.number ?? null;
  }

  private async run<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    try {
      return await this.database.run<Row>({ text, values });
    } catch (error) {
      throw new GymError("JUDGMENTS_FAILED", "a database that answers", (error as Error).message);
    }
  }
}

/** Returns rows whose ids follow from the judgments, so that a copy of a file gives the same rows. */
function rowsIn(bytes: Buffer): { owner: string; id: string; judgment: string }[] {
  const seen = new Map<string, number>();
  return judgmentsIn(bytes).lines.map(({ owner, ...judgment }) => {
    const text = JSON.stringify(judgment);
    const name = `${owner} ${text}`;
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return { owner, id: createHash("sha256").update(`${before} ${name}`).digest("hex"), judgment: text };
  });
}
