/** The results of an evaluation: success with intervals, failures, rounds and diagnosis. */

import { decimal, percent, shortNumber } from "../../../numbers.js";
import { Histogram } from "../../../parts/charts/histogram.js";
import { IntervalChart, type IntervalRow } from "../../../parts/charts/interval-chart.js";
import { Inline } from "../../../parts/text.js";
import { linkTo } from "../../../route.js";
import { Facts, TextTable, Tiles } from "../training/facts.js";
import type { EpisodeRow } from "./episode-source.js";
import {
  diagnosisNote,
  diagnosisOf,
  type EvaluationReport,
  familyColumns,
  familyRow,
  figuresOf,
  intervalNote,
  roundsNote,
  type Summary,
  seatColumns,
  seatRow,
  stuckText,
  type Worst,
} from "./evaluation-data.js";
import { FailureCounts } from "./failure-counts.js";
import { TaskMatrix } from "./task-matrix.js";

interface Props {
  report: EvaluationReport;
  /** All episodes. */
  rows: readonly EpisodeRow[];
  /** Path of the page. */
  path: readonly string[];
  /** Name of the evaluation in the gym, if there is one. */
  run?: string;
}

export function EvaluationResults({ report, rows, path, run }: Props) {
  const { summary, byRounds, diagnosis, notes } = report;
  const episodesPath = [...path, "episodes"];
  return (
    <>
      {!report.complete && <p class="failure">Cut short: this report does not have every planned episode.</p>}
      <Tiles tiles={tilesOf(summary)} />
      <TaskMatrix rows={rows} path={path} episodesPath={episodesPath} run={run} />
      <FailureCounts rows={rows} episodesPath={episodesPath} />
      <h2>Results</h2>
      <div class="charts wide">
        <IntervalChart
          title={summary.families.length > 0 ? "Success by family" : "Success"}
          {...successRows(summary)}
        />
        <IntervalChart
          title="Pass@k"
          note="tasks solved in one of k samples, 95 % intervals"
          rows={passRows(summary)}
        />
        <IntervalChart
          title="Success by rounds"
          note="episodes solved within a round cap, 95 % intervals"
          rows={roundsRows(report)}
        />
        <Distributions rows={rows} />
      </div>
      <Facts label="Figures" facts={figuresOf(summary)} />
      <p class="note">{intervalNote}</p>
      {byRounds.length > 0 && <p class="note">{roundsNote}</p>}
      {summary.families.length > 0 && (
        <>
          <h2>By family</h2>
          <TextTable label="By family" columns={familyColumns} rows={summary.families.map(familyRow)} areNumbers />
        </>
      )}
      {summary.seats && (
        <>
          <h2>By seat</h2>
          <TextTable label="By seat" columns={seatColumns} rows={summary.seats.map(seatRow)} areNumbers />
        </>
      )}
      <Failures summary={summary} />
      {diagnosis && (
        <>
          <h2>Diagnosis</h2>
          <Facts label="Diagnosis" facts={diagnosisOf(report)} />
          <p class="note">{diagnosisNote}</p>
          <WorstEpisodes report={report} rows={rows} episodesPath={episodesPath} />
        </>
      )}
      {notes.map((note) => (
        <p class="note" key={note}>
          <Inline text={note} />
        </p>
      ))}
    </>
  );
}

function tilesOf({ successRate, meanScore, episodes, planned, failed, meanSteps, meanStepsSolved }: Summary) {
  const within = (low: string, high: string) => `95 %: ${low} to ${high}`;
  return [
    {
      label: "success rate",
      value: percent(successRate?.value),
      more: successRate ? within(percent(successRate.low), percent(successRate.high)) : "no episode",
    },
    {
      label: "mean score",
      value: decimal(meanScore?.value),
      more: meanScore ? within(decimal(meanScore.low), decimal(meanScore.high)) : "no episode",
    },
    {
      label: "episodes",
      value: `${episodes}`,
      more: failed > 0 ? `of ${planned}, ${failed} lost to failures` : `of ${planned}`,
    },
    {
      label: "steps of an episode",
      value: decimal(meanSteps, 1),
      more: `of solved ones ${decimal(meanStepsSolved, 1)}`,
    },
  ];
}

/** Returns the rows of the chart of success by family. */
export function successRows({ successRate, episodes, families }: Summary): { note: string; rows: IntervalRow[] } {
  const all = successRate
    ? [{ label: "all", estimate: successRate, note: `of ${episodes}`, isStrong: families.length > 0 }]
    : [];
  const rows = families.flatMap(({ family, successRate: estimate, episodes: count }) =>
    estimate ? [{ label: family, estimate, note: `of ${count}` }] : [],
  );
  return { note: "episodes solved, 95 % intervals", rows: [...all, ...rows] };
}

function passRows({ passAtK }: Summary): IntervalRow[] {
  if (passAtK.length < 2) return [];
  return passAtK.map((estimate) => ({
    label: `pass@${estimate.k}`,
    estimate,
    note: `${estimate.tasks} ${estimate.tasks === 1 ? "task" : "tasks"}`,
  }));
}

export function roundsRows({ byRounds }: Pick<EvaluationReport, "byRounds">): IntervalRow[] {
  return byRounds.flatMap(({ rounds, episodes, successRate: estimate }) =>
    estimate ? [{ label: `${rounds} ${rounds === 1 ? "round" : "rounds"}`, estimate, note: `of ${episodes}` }] : [],
  );
}

function Distributions({ rows }: { rows: readonly EpisodeRow[] }) {
  const scored = rows.filter(({ status }) => status !== "failed");
  // Returns are sums of decimal fractions, which round in their last bit.
  const scoreOf = ({ score }: EpisodeRow) => Math.round(score * 1e9) / 1e9;
  const hasScores = new Set(scored.map(scoreOf)).size > 2;
  return (
    <>
      <Distribution title="Steps of an episode" scored={scored} measure={({ steps }) => steps} />
      {hasScores && <Distribution title="Score of an episode" scored={scored} measure={scoreOf} />}
    </>
  );
}

interface DistributionProps {
  title: string;
  scored: readonly EpisodeRow[];
  measure: (row: EpisodeRow) => number;
}

function Distribution({ title, scored, measure }: DistributionProps) {
  const values = scored.map(measure).sort((a, b) => a - b);
  if (values.length === 0) return null;
  const quantile = (share: number) => shortNumber(values[Math.round(share * (values.length - 1))]);
  const series = [
    { label: "solved", colour: 0, values: scored.filter(({ solved }) => solved).map(measure) },
    { label: "unsolved", colour: 1, values: scored.filter(({ solved }) => !solved).map(measure) },
  ];
  return <Histogram title={title} note={`median ${quantile(0.5)}, 90 % up to ${quantile(0.9)}`} series={series} />;
}

function Failures({ summary: { failures } }: { summary: Summary }) {
  if (failures.length === 0) return null;
  const rows = failures.map(({ class: failureClass, code, status, count, example, remedy }) => [
    failureClass,
    status === undefined ? code : `${code} (${status})`,
    `${count}`,
    example,
    remedy,
  ]);
  return (
    <>
      <h2>Lost episodes</h2>
      <TextTable label="Lost episodes" columns={["class", "code", "episodes", "for example", "remedy"]} rows={rows} />
    </>
  );
}

interface WorstProps {
  report: EvaluationReport;
  rows: readonly EpisodeRow[];
  episodesPath: readonly string[];
}

function WorstEpisodes({ report: { diagnosis, split, k }, rows, episodesPath }: WorstProps) {
  if (!diagnosis || diagnosis.worst.length === 0) return null;
  const linkToEpisode = ({ index, sample }: Worst) =>
    linkTo(episodesPath, {
      episode: rows.find(({ played, sample: own }) => played.index === index && own === sample)?.index,
    });
  return (
    <>
      <p>Unsolved episodes that stood still for the most rounds:</p>
      <ul>
        {diagnosis.worst.map((worst) => (
          <li key={`${worst.index} ${worst.sample}`}>
            <a href={linkToEpisode(worst)}>
              <Inline text={episodeName(split, worst.index, worst.sample, k)} most={120} />
            </a>
            : {stuckText(worst)}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Returns the name of an episode. Samples are numbered from 1 if a task has several. */
export function episodeName(split: string, index: number, sample: number, k: number): string {
  return `${split}:${index}${k > 1 ? ` sample ${sample + 1} of ${k}` : ""}`;
}
