/** One run: a training run or an evaluation. */
import { useMemo } from "preact/hooks";
import { api, type Run } from "../../api.js";
import { decimal, percent } from "../../numbers.js";
import { ExportMenu, type Format } from "../../parts/export-menu.js";
import { Guard } from "../../parts/guard.js";
import { Failure, Loaded } from "../../parts/loaded.js";
import { Inline } from "../../parts/text.js";
import { goTo, linkTo } from "../../route.js";
import { EvaluationEpisodes } from "./evaluation/episodes.js";
import type { EvaluationReport } from "./evaluation/evaluation-data.js";
import { EvaluationProgress } from "./evaluation/evaluation-progress.js";
import { EvaluationResults } from "./evaluation/evaluation-results.js";
import { RunEpisodes } from "./evaluation/run-episodes.js";
import { TasksSoFar } from "./evaluation/tasks-so-far.js";
import { useLiveRun } from "./live-run.js";
import { Tabs } from "./tabs.js";
import { Groups } from "./tokens/groups.js";
import { Facts, Tiles } from "./training/facts.js";
import { Health } from "./training/health.js";
import { useRecords } from "./training/live-records.js";
import { StartProgress } from "./training/start.js";
import { TrainingCurves } from "./training/training-curves.js";
import { durationOf, type Tile, tilesOf } from "./training/training-data.js";
import "./runs.css";

export function RunPage({ run, tab }: { run: string; tab: string | undefined }) {
  return (
    <section class="run">
      <Loaded of={run} load={() => api.run(run)}>
        {(data) =>
          data.kind === "training" ? <Training data={data} tab={tab} /> : <Evaluation data={data} tab={tab} />
        }
      </Loaded>
    </section>
  );
}

const page = { format: "html", name: "HTML page", use: "opens without a gym" };
const log = { format: "eval", name: "Inspect log", use: ".eval, for inspect view" };

function Heading({ data, isLive, formats }: { data: Run; isLive: boolean; formats: readonly Format[] }) {
  return (
    <header class="run-heading">
      <h1>
        <Inline text={data.title} most={200} /> {isLive && <span class="badge good">live</span>}
      </h1>
      <ExportMenu of={`runs/${encodeURIComponent(data.run)}`} formats={formats} />
    </header>
  );
}

/** Reason why a file of the run could not be read. */
function Problem({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <p class="failure">
      <Inline text={text} />
    </p>
  );
}

type TrainingRun = Extract<Run, { kind: "training" }>;
type EvaluationRun = Extract<Run, { kind: "evaluation" }>;

function Training({ data: loaded, tab = "curves" }: { data: TrainingRun; tab: string | undefined }) {
  const { data } = useLiveRun(loaded);
  const { records, live, isLoaded, error } = useRecords(data.run);
  const path = ["runs", data.run];
  return (
    <>
      <Heading data={data} isLive={live} formats={[page]} />
      <p class="quiet">{isLoaded ? durationOf(records) : "Loading…"}</p>
      {error !== null && <Failure error={error} />}
      <Problem text={data.problem} />
      {data.start && <StartProgress start={data.start} isRunning={live && records.length === 0} />}
      <Health findings={data.health} steps={data.summary.trainSteps} />
      <Tabs path={path} tabs={["Curves", "Groups", "Settings"]} open={tab} />
      <Guard of={tab}>
        {tab === "groups" ? (
          <Groups run={data.run} />
        ) : tab === "settings" ? (
          <>
            {data.engine !== null && <Facts label="Engine" facts={Object.entries(data.engine)} />}
            <Facts label="Settings" facts={Object.entries(data.settings)} />
          </>
        ) : (
          <>
            <Tiles tiles={tilesOf(records)} />
            <TrainingCurves
              runs={[{ name: "", records }]}
              onSelect={(step) => goTo(linkTo([...path, "groups"], { step: Math.max(1, step) }))}
            />
          </>
        )}
      </Guard>
    </>
  );
}

function Evaluation({ data: loaded, tab = "results" }: { data: EvaluationRun; tab: string | undefined }) {
  const { data, error } = useLiveRun(loaded);
  const revision = `${data.updatedAt} ${JSON.stringify(data.statuses)}`;
  const source = useMemo(() => new RunEpisodes(data.run), [data.run]);
  const path = ["runs", data.run];
  const report = data.report as EvaluationReport | null;
  return (
    <>
      <Heading data={data} isLive={data.live} formats={report === null ? [log] : [page, log]} />
      <p class="quiet">
        <Inline text={data.summary.policy ?? ""} most={300} />
      </p>
      {error !== null && <Failure error={error} />}
      <Problem text={data.problem} />
      {data.live && data.summary.progress && <EvaluationProgress progress={data.summary.progress} />}
      <Tabs path={path} tabs={["Results", "Episodes", "Settings"]} open={tab} />
      <Guard of={tab}>
        {tab === "episodes" ? (
          <EvaluationEpisodes
            source={source}
            path={[...path, "episodes"]}
            families={data.families}
            k={data.summary.k ?? 1}
            revision={revision}
          />
        ) : tab === "settings" ? (
          <Facts label="Settings" facts={Object.entries(data.settings)} />
        ) : report === null ? (
          <>
            <Tiles tiles={tilesSoFar(data)} />
            <p>The report is written when the evaluation ends. Its episodes so far are under Episodes.</p>
            <TasksSoFar source={source} isLive={data.live} path={path} />
          </>
        ) : (
          <Loaded of={`${data.run} ${revision}`} load={() => source.all()}>
            {(rows) => <EvaluationResults report={report} rows={rows} path={path} run={data.run} />}
          </Loaded>
        )}
      </Guard>
    </>
  );
}

/** Returns the figures of an evaluation that has no report yet. */
function tilesSoFar({ summary, statuses }: EvaluationRun): Tile[] {
  const { episodes, successRate, meanScore } = summary;
  const figures: Tile[] = [{ label: "episodes so far", value: `${episodes}` }];
  if (successRate !== null) figures.push({ label: "success so far", value: percent(successRate) });
  if (meanScore !== null) figures.push({ label: "mean score so far", value: decimal(meanScore) });
  if (statuses.failed) figures.push({ label: "episodes failed", value: `${statuses.failed}` });
  return figures;
}
