/** The gym at a glance: what it does now, how near its limits are, and the latest episodes. It is always current. */
import { connection, type GymStatus, samples, status } from "../../live.js";
import { durationText } from "../../numbers.js";
import { LatestEpisodes } from "./latest-episodes.js";
import { Limits } from "./limits.js";
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
          <Tiles status={shown} samples={samples.value} />
          <h2>Limits</h2>
          <Limits status={shown} />
        </>
      )}
      <h2>Latest episodes</h2>
      <LatestEpisodes />
    </section>
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
