/** The limits of the gym and of the caller: those that are near, and on demand all. */
import type { GymStatus } from "../../live.js";
import { bytesText, countText } from "../../numbers.js";
import { Meter, nearPart } from "../../parts/meter.js";

interface Limit {
  label: string;
  used: number;
  limit: number | null;
  format: (value: number) => string;
}

export function Limits({ status }: { status: GymStatus }) {
  const [gym, caller] = [limitsOfGym(status), limitsOfCaller(status)];
  const near = [...gym, ...caller].filter(({ used, limit }) => limit !== null && used >= nearPart * limit);
  return (
    <>
      {near.length > 0 && (
        <section aria-label="Limits that are near">
          <h2>Limits that are near</h2>
          <Meters title="" limits={near} />
        </section>
      )}
      <details class="all-limits">
        <summary>All limits</summary>
        <div class="limits">
          <Meters title="The gym" limits={gym} />
          <Meters title="You" limits={caller} />
        </div>
      </details>
    </>
  );
}

function Meters({ title, limits }: { title: string; limits: readonly Limit[] }) {
  return (
    <div class="meters">
      {title !== "" && <h3>{title}</h3>}
      {limits.map((limit) => (
        <Meter key={limit.label} {...limit} />
      ))}
    </div>
  );
}

function limitsOfGym({ episodes, stepsInFlight, log, disk }: GymStatus): Limit[] {
  const room = disk && { used: disk.totalBytes - disk.freeBytes, limit: disk.totalBytes - disk.neededBytes };
  return [
    { label: "Live episodes", ...episodes, format: countText },
    { label: "Steps in flight", ...stepsInFlight, format: countText },
    { label: "Data in the log", ...log.bytes, format: bytesText },
    ...(room ? [{ label: "Disk", ...room, format: bytesText }] : []),
  ];
}

function limitsOfCaller({ caller }: GymStatus): Limit[] {
  return [
    { label: "Your live episodes", ...caller.episodes, format: countText },
    { label: "Your episodes in sandboxes", ...caller.sandboxEpisodes, format: countText },
    { label: "Your steps today (UTC)", ...caller.stepsToday, format: countText },
    { label: "Your part of the log", ...caller.logBytes, format: bytesText },
  ];
}
