/** The gym's present values as tiles. Those that change have their course of the last five minutes. */
import type { ComponentChildren } from "preact";
import type { GymStatus, Sample } from "../../live.js";
import { bytesText, countText, msText } from "../../numbers.js";
import { type Point, Sparkline } from "../../parts/sparkline.js";

interface Props {
  status: GymStatus;
  samples: readonly Sample[];
}

/** Number of samples over which the growth of the log is averaged. */
const growthSamples = 30;

export function Tiles({ status, samples }: Props) {
  const { now, steps, created, episodes, failures, hosts, hostsLost, sandboxEpisodes, log, disk } = status;
  const lineOf = (value: (sample: Sample) => number | null): Point[] =>
    samples.map((sample) => ({ atMs: Date.parse(sample.at), value: value(sample) }));
  return (
    <div class="tiles">
      <Tile title="Live episodes" value={countText(episodes.used)} note={`${countText(created)} created`}>
        <Sparkline label="Live episodes" lines={[lineOf((sample) => sample.liveEpisodes)]} format={countText} />
      </Tile>
      <Tile title="Steps per second" value={countText(now.stepsPerSecond)} note={`${countText(steps)} in all`}>
        <Sparkline label="Steps per second" lines={[lineOf((sample) => sample.stepsPerSecond)]} format={countText} />
      </Tile>
      <Tile
        title="Median step latency"
        value={msText(latest(samples, "p50Ms"))}
        note={`95 % within ${msText(latest(samples, "p95Ms"))}`}
      >
        <Sparkline
          label="Median and 95th percentile of the step latency"
          lines={[lineOf((sample) => sample.p50Ms), lineOf((sample) => sample.p95Ms)]}
          format={msText}
        />
      </Tile>
      <Tile
        title="Log growth"
        value={`${bytesText(growthPerHour(samples))}/h`}
        note={`${bytesText(log.bytes.used)} of data in files of ${bytesText(log.fileBytes)}`}
      >
        <Sparkline label="Bytes written per second" lines={[growth(samples)]} format={bytesText} />
      </Tile>
      <Failures failures={failures} />
      <Tile
        title="Hosts ready"
        value={`${hosts.used} of ${hosts.limit ?? "–"}`}
        note={`${countText(hostsLost)} replaced`}
      />
      <Tile title="Episodes in sandboxes" value={countText(sandboxEpisodes)} note="containers, browsers, JVMs" />
      <Tile
        title="Disk free"
        value={disk === null ? "unknown" : bytesText(disk.freeBytes)}
        note={disk === null ? "" : `new episodes need ${bytesText(disk.neededBytes)}`}
      />
    </div>
  );
}

interface TileProps {
  title: string;
  value: string;
  note: string;
  children?: ComponentChildren;
}

function Tile({ title, value, note, children }: TileProps) {
  return (
    <section class="tile" aria-label={title}>
      <h3>{title}</h3>
      <p class="value">{value}</p>
      <p class="quiet">{note}</p>
      {children}
    </section>
  );
}

function Failures({ failures }: { failures: Record<string, number> }) {
  const classes = Object.entries(failures);
  const all = classes.reduce((sum, [, count]) => sum + count, 0);
  const found = classes.filter(([, count]) => count > 0).map(([name, count]) => `${countText(count)} ${name}`);
  return <Tile title="Failures" value={countText(all)} note={found.join(", ") || "none since the start"} />;
}

/** Returns the newest latency of the samples. The newest second may have no step. */
function latest(samples: readonly Sample[], name: "p50Ms" | "p95Ms"): number | null {
  return samples.findLast((sample) => sample[name] !== null)?.[name] ?? null;
}

/** Bytes written in each second. A gym that starts again counts from zero, which is no growth. */
function growth(samples: readonly Sample[]): Point[] {
  return samples.slice(1).map(({ at, writtenBytes }, i) => {
    const before = samples[i] as Sample;
    const seconds = (Date.parse(at) - Date.parse(before.at)) / 1_000;
    const grown = writtenBytes - before.writtenBytes;
    return { atMs: Date.parse(at), value: grown < 0 ? null : grown / seconds };
  });
}

function growthPerHour(samples: readonly Sample[]): number {
  const rates = growth(samples.slice(-growthSamples)).flatMap(({ value }) => value ?? []);
  return (rates.reduce((sum, rate) => sum + rate, 0) / Math.max(1, rates.length)) * 3_600;
}
