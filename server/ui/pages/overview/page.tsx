/** The gym at a glance: who plays what, runs, failures, load, limits that are near, and the latest episodes. It is always current. */
import { connection, type GymStatus, samples, status } from "../../live.js";
import { durationText } from "../../numbers.js";
import { LastFailures } from "./failures.js";
import { LatestEpisodes } from "./latest-episodes.js";
import { Limits } from "./limits.js";
import { useLiveRuns, useNow } from "./now.js";
import { LivePictures } from "./pictures.js";
import { LiveRuns, WhoPlays } from "./playing.js";
import { Tiles } from "./tiles.js";
import "./overview.css";

export function Overview() {
  const shown = status.value;
  return (
    <section class={connection.value === "lost" ? "page overview stale" : "page overview"}>
      <h1>Overview</h1>
      {shown === null ? (
        <p class="quiet">Loading…</p>
      ) : (
        <>
          <Summary status={shown} />
          <Present />
          <h2>Load</h2>
          <Tiles status={shown} samples={samples.value} />
          <Limits status={shown} />
        </>
      )}
      <h2>Latest episodes</h2>
      <LatestEpisodes />
    </section>
  );
}

/** What goes on, the busiest first. Parts without content are left out. */
function Present() {
  const now = useNow();
  const runs = useLiveRuns();
  if (now === null) return <p class="quiet">Loading…</p>;
  return (
    <>
      <section aria-label="Now">
        <h2>Now</h2>
        <WhoPlays now={now} />
      </section>
      {runs.length > 0 && <LiveRuns runs={runs} />}
      {now.pictured.length > 0 && <LivePictures pictured={now.pictured} />}
      {now.failures.length > 0 && (
        <section>
          <h2>Last failures</h2>
          <LastFailures failures={now.failures} />
        </section>
      )}
    </>
  );
}

function Summary({ status: { version, startedAt, now, refusal, log } }: { status: GymStatus }) {
  return (
    <p class="quiet">
      Palestra {version}, up for {durationText(Date.parse(now.at) - Date.parse(startedAt))}{" "}
      {refusal !== null && <span class="badge bad">new episodes are refused: {refusal}</span>}
      {!log.isWritable && <span class="badge bad">the episode log cannot be written</span>}
      {refusal === null && log.isWritable && <span class="badge good">accepts new episodes</span>}
    </p>
  );
}
