/** Outputs of metrics besides the log: TensorBoard, Prometheus, the terminal and the report. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, describe, expect, test } from "vitest";
import { crc32c } from "#palestra/trainer/report/crc32c.js";
import { metricNames, type TrainRecord } from "#palestra/trainer/report/metric-names.js";
import { PrometheusMetrics } from "#palestra/trainer/report/prometheus.js";
import { TensorBoardEvents } from "#palestra/trainer/report/tensorboard.js";
import { TerminalProgress } from "#palestra/trainer/report/terminal-progress.js";
import { trainingHtml, writeTrainingHtml } from "#palestra/trainer/report/training-html.js";
import { SmallDisk } from "../../support/small-disk.js";
import { recordAt, writeEvents } from "../../support/train-records.js";
import { reportData } from "../support/report-data.js";

const folder = mkdtempSync(join(tmpdir(), "palestra-report-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the number of intact records of an event file, and the bytes after the last of them. */
function recordsIn(path: string): { count: number; left: number } {
  const bytes = readFileSync(path);
  let [count, at] = [0, 0];
  for (; at + 8 <= bytes.length; count++) {
    const end = at + 8 + 4 + Number(bytes.readBigUInt64LE(at)) + 4;
    if (end > bytes.length || bytes.readUInt32LE(end - 4) !== maskedSum(bytes.subarray(at + 12, end - 4))) break;
    at = end;
  }
  return { count, left: bytes.length - at };
}

/** Returns the checksum that follows a record's data: its CRC-32C, rotated and shifted as in TensorFlow's records. */
function maskedSum(data: Uint8Array): number {
  const sum = crc32c(data);
  return (((sum >>> 15) | (sum << 17)) + 0xa282ead8) >>> 0;
}

describe("event files", () => {
  interface Golden {
    files: string[];
    scalars: Record<string, [number, number, number][]>;
    histograms: Record<string, (number | number[])[][]>;
  }
  const golden: Golden = JSON.parse(
    readFileSync(new URL("../../fixtures/trainer/tensorboard.json", import.meta.url), "utf8"),
  );

  test("equal the recorded files that TensorBoard has read, byte for byte", () => {
    const events = join(folder, "events");
    writeEvents(events);
    const files = readdirSync(events).sort();
    expect(files.map((file) => readFileSync(join(events, file)).toString("base64"))).toEqual(golden.files);
  });

  test("give TensorBoard the scalars and histograms of each step, and after a resume only those of the new run", () => {
    expect(golden.scalars["episode/success_rate"]?.map(([, step, value]) => [step, value])).toEqual([
      [1, 0.125],
      [2, 0.25],
      [3, 0.375],
      [4, 0.5],
      [5, 0.5],
      [6, 0.5],
    ]);
    const [first] = golden.histograms["staleness/histogram"] ?? [];
    // Time, step; minimum, maximum, count, sum, sum of squares; ends and counts of buckets.
    expect(first).toEqual([
      ...[1_795_000_001.5, 1, 0, 3, 14, 6, 12],
      ...[
        [-0.5, 0.5, 1.5, 2.5, 3.5],
        [0, 10, 3, 0, 1],
      ],
    ]);
  });

  test("of the same second have different names", () => {
    const events = join(folder, "same-second");
    for (let run = 0; run < 3; run++) new TensorBoardEvents(events, { now: 5 }).close();
    expect(readdirSync(events)).toHaveLength(3);
  });

  test("end with a complete record after a write to a full disk", (context) => {
    const disk = SmallDisk.mount(context, 1);
    const events = new TensorBoardEvents(disk.path, { now: 5 });
    const path = join(disk.path, readdirSync(disk.path)[0] as string);
    disk.fill();
    // The file's last page has room for some records. The next record is cut.
    const { count } = recordsIn(path);
    let step = 1;
    expect(() => {
      for (; ; step++) events.write(recordAt(step));
    }).toThrow();
    expect(recordsIn(path)).toEqual({ count: count + step - 1, left: 0 });
    disk.free();
    events.write(recordAt(step));
    expect(recordsIn(path)).toEqual({ count: count + step, left: 0 });
    events.close();
  });

  test("can be closed twice, and then refuse records", () => {
    const events = new TensorBoardEvents(join(folder, "closed"));
    events.close();
    events.close();
    expect(() => events.write(recordAt(1))).toThrow(/^The event file .+ is closed\.$/);
  });

  // RFC 3720, B.4: 32 bytes of zeros, of ones, ascending; and the check value of the polynomial.
  test.each([
    [new Uint8Array(32), 0x8a9136aa],
    [new Uint8Array(32).fill(255), 0x62a8ab43],
    [Uint8Array.from({ length: 32 }, (_, index) => index), 0x46dd794e],
    [Buffer.from("123456789"), 0xe3069283],
  ])("have the CRC-32C of the RFC", (bytes, expected) => {
    expect(crc32c(bytes)).toBe(expected);
  });
});

describe("Prometheus", () => {
  test("reads the newest measured values over HTTP", async () => {
    const prometheus = new PrometheusMetrics();
    const url = await prometheus.listen({ port: 0 });
    prometheus.write(recordAt(1, { "actor/grad_norm": 0.25 }));
    prometheus.write(recordAt(2, { staleness: [5, 1] }));
    const response = await fetch(url);
    const text = await response.text();
    expect(response.headers.get("content-type")).toContain("text/plain");
    expect(text).toContain("\npalestra_train_step 2\n");
    expect(text).toContain("\npalestra_train_episode_success_rate 0.25\n");
    expect(text).toContain("\npalestra_train_actor_grad_norm 0.25\n");
    expect(text).toContain('\npalestra_train_staleness_tokens{staleness="1"} 1\n');
    expect(text).not.toContain('staleness="3"');
    expect(text).not.toContain("palestra_train_actor_lr");
    expect((await fetch(new URL("/", url))).status).toBe(404);
    // A web page whose host name resolves to this machine.
    const host = `attacker.example:${new URL(url).port}`;
    const reply = await new Promise<IncomingMessage>((resolve) => get(url, { headers: { host } }, resolve));
    expect([reply.statusCode, (await reply.toArray()).join("")]).toEqual([403, expect.stringContaining(host)]);
    await prometheus.close();
    await prometheus.close();
    await expect(fetch(url)).rejects.toThrow();
  });

  test("gives every metric its own name", async () => {
    const prometheus = new PrometheusMetrics();
    prometheus.write({ step: 1, time: 0, ...Object.fromEntries(metricNames.map((name) => [name, 1])) } as TrainRecord);
    const names = (await prometheus.registry.getMetricsAsJSON()).map(({ name }) => name);
    expect(new Set(names).size).toBe(metricNames.length + 2);
  });

  test("fails with an error if its address is in use", async () => {
    const [first, second] = [new PrometheusMetrics(), new PrometheusMetrics()];
    const url = new URL(await first.listen({ port: 0 }));
    await expect(second.listen({ port: Number(url.port) })).rejects.toThrow("EADDRINUSE");
    await second.close();
    await first.close();
  });
});

describe("progress", () => {
  const shown = (isTTY: boolean, use: (progress: TerminalProgress) => void) => {
    const stream = Object.assign(new PassThrough(), { isTTY, columns: 120, rows: 24 }) as unknown as NodeJS.WriteStream;
    const progress = new TerminalProgress({ total: 4, stream });
    use(progress);
    progress.close();
    return ((stream as unknown as PassThrough).read() as Buffer | null)?.toString() ?? "";
  };
  const record = recordAt(2, { "staleness/mean": 1.25, "perf/idle/train": 0.1, "perf/idle/generate": 0.034 });

  test("consists of plain lines without a terminal", () => {
    const text = shown(false, (progress) => {
      progress.write(record);
      progress.say("checkpoint");
    });
    expect(text).toBe("train 2/4  success 25%  staleness 1.3  tok/s 2K  idle train 10%  gen 3%\ncheckpoint\n");
  });

  test("states why a step had no gradient", () => {
    const said = (more: Partial<TrainRecord>) => shown(false, (progress) => progress.write({ ...record, ...more }));
    const equal = { "actor/no_gradient": 1, "groups/count": 3, "groups/zero_variance": 2, "groups/too_small": 1 };
    expect(said(equal)).toMatch(/gen 3% {2}no gradient: all rewards equal\n$/);
    expect(said({ ...equal, "actor/grad_norm": 0.1 })).toMatch(/ {2}no policy gradient: all rewards equal\n$/);
    expect(said({ ...equal, "groups/zero_variance": 1 })).toMatch(/ {2}no gradient: every advantage is 0\n$/);
    expect(said({ ...equal, "actor/no_gradient": 0 })).not.toContain("no gradient");
  });

  test.each([
    [0.043, "0.043"],
    [7.26, "7.26"],
    [1234, "1.23K"],
  ])("shows %d tokens per second as %s, never as 0", (throughput, text) => {
    const line = shown(false, (progress) => progress.write({ ...record, "perf/throughput": throughput }));
    expect(line).toContain(`  tok/s ${text}  `);
  });

  test("is a bar at the bottom of a terminal, below all lines", () => {
    const text = shown(true, (progress) => {
      progress.write(record);
      progress.say("checkpoint");
    });
    expect(text).toContain("2/4  success 25%");
    expect(text).toContain("checkpoint\n");
    expect(text).toContain("█");
  });
});

describe("the report", () => {
  const hostile = "a <b> & </script><script>window.ran = 1</script><!-- <script>";
  const records = Array.from({ length: 40 }, (_, index) => recordAt(index + 1, { "episode/success_rate": index / 40 }));
  const settings = { lr: 1e-4, prompt: hostile };
  const html = trainingHtml({ title: hostile, records, settings, engine: { device: "cuda:0 A100" } });

  test("has the records, the settings and the engine as data", () => {
    const read = JSON.parse(JSON.stringify(records));
    const engine = { device: "cuda:0 A100" };
    expect(reportData(html)).toEqual({ kind: "training", title: hostile, records: read, settings, engine });
  });

  test("stores values that are not finite as null", () => {
    const gaps = [0.1, Number.NaN, 0.3].map((value, index) => recordAt(index + 1, { "actor/grad_norm": value }));
    const { records: read } = reportData<{ records: TrainRecord[] }>(
      trainingHtml({ title: "t", records: gaps, settings: {} }),
    );
    expect(read.map((record) => record["actor/grad_norm"])).toEqual([0.1, null, 0.3]);
  });

  test("never turns foreign text into HTML, and allows only one script", () => {
    expect(html).not.toContain("<script>window.ran");
    expect(html).toMatch(/<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/);
    expect(html.match(/<script\b/g)).toHaveLength(2);
  });

  test("names the file with the same data for browsers without scripts", () => {
    expect(html).toMatch(/<noscript>.*metrics\.jsonl.*<\/noscript>/);
  });

  test("is replaced in one step", () => {
    const path = join(folder, "report.html");
    writeFileSync(path, "old");
    writeTrainingHtml(path, { title: "run", records, settings: {} });
    expect(readFileSync(path, "utf8")).toContain("</html>");
    expect(readdirSync(folder)).not.toContain("report.html.new");
  });
});
