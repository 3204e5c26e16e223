/** The limits of the gym and of the caller, and how near they are. */
import type { GymStatus } from "../../live.js";
import { bytesText, countText } from "../../numbers.js";
import { Meter } from "../../parts/meter.js";

export function Limits({ status: { episodes, stepsInFlight, log, disk, caller } }: { status: GymStatus }) {
  return (
    <div class="limits">
      <section aria-label="Limits of the gym">
        <h3>The gym</h3>
        <Meter label="Live episodes" {...episodes} format={countText} />
        <Meter label="Steps in flight" {...stepsInFlight} format={countText} />
        <Meter label="Data in the log" {...log.bytes} format={bytesText} />
        {disk !== null && (
          <Meter
            label="Disk"
            used={disk.totalBytes - disk.freeBytes}
            limit={disk.totalBytes - disk.neededBytes}
            format={bytesText}
          />
        )}
      </section>
      <section aria-label="Your limits">
        <h3>You</h3>
        <Meter label="Your live episodes" {...caller.episodes} format={countText} />
        <Meter label="Your episodes in sandboxes" {...caller.sandboxEpisodes} format={countText} />
        <Meter label="Your steps today (UTC)" {...caller.stepsToday} format={countText} />
        <Meter label="Your part of the log" {...caller.logBytes} format={bytesText} />
      </section>
    </div>
  );
}
