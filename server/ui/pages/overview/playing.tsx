/** Tables of the players and of the running runs. */
import type { Now } from "../../api.js";
import { countText, durationText, percent } from "../../numbers.js";
import { Inline } from "../../parts/text.js";
import { linkTo } from "../../route.js";
import type { LiveRun } from "./now.js";

export function WhoPlays({ now: { plays, more } }: { now: Now }) {
  if (plays.length === 0) return <p>Nobody plays now.</p>;
  return (
    <>
      <table class="who-plays">
        <thead>
          <tr>
            <th scope="col">player</th>
            <th scope="col">environment</th>
            <th scope="col">run</th>
            <th scope="col" class="number">
              live
            </th>
            <th scope="col" class="number">
              steps a minute
            </th>
          </tr>
        </thead>
        <tbody>
          {plays.map(({ player, environment, runs, episodes, stepsLastMinute }) => (
            <tr key={`${player.kind} ${player.name} ${environment}`}>
              <td>
                <PlayerName player={player} />
              </td>
              <td>
                <a href={linkTo(["episodes"], { environment })}>
                  <Inline text={environment} most={120} />
                </a>
              </td>
              <td>
                {runs.map((run) => (
                  <a key={run} href={linkTo(["episodes"], { run })}>
                    <Inline text={run} most={60} />
                  </a>
                ))}
              </td>
              <td class="number">{countText(episodes)}</td>
              <td class="number">{countText(stepsLastMinute)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more && <p class="quiet">Further callers play, too.</p>}
    </>
  );
}

export function PlayerName({ player: { kind, name } }: { player: Now["plays"][number]["player"] }) {
  return kind === "local" ? <span class="quiet">without a token</span> : <Inline text={name} most={80} />;
}

export function LiveRuns({ runs }: { runs: readonly LiveRun[] }) {
  return (
    <ul class="live-runs" aria-label="Running runs">
      {runs.map(({ row: { run, title, summary }, leftMs }) => {
        const { done, total, unit } =
          "trainSteps" in summary
            ? { done: summary.trainSteps, total: summary.totalTrainSteps, unit: "train steps" }
            : { done: summary.progress?.done ?? summary.episodes, total: summary.planned, unit: "episodes" };
        return (
          <li key={run}>
            <a href={linkTo(["runs", run])}>
              <Inline text={title} most={120} />
            </a>
            <span>
              {countText(done)}
              {total !== null && ` of ${countText(total)}`} {unit}
            </span>
            {total !== null && <progress aria-label={`Progress of ${title}`} max={total} value={done} />}
            <span class="quiet">
              {leftMs !== null && `about ${leftMs < 60_000 ? "a minute" : durationText(leftMs)} left`}
              {leftMs !== null && summary.successRate !== null && " · "}
              {summary.successRate !== null && `${percent(summary.successRate)} solved`}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
