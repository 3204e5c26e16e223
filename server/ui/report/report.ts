/** The data of a report, as JSON in the element `report` of the page. */
import type { Episode, Finding, Opening, Step } from "../api.js";
import type { EpisodeRecord } from "../pages/runs/evaluation/episode-source.js";
import type { EvaluationReport } from "../pages/runs/evaluation/evaluation-data.js";
import type { TrainRecord } from "../pages/runs/training/training-data.js";
import type { Curve } from "../parts/charts/curves.js";
import type { IntervalRow } from "../parts/charts/interval-chart.js";
import type { BandPlan } from "./band-chart.js";

export interface EpisodeReportData {
  readonly kind: "episode";
  readonly episode: Episode;
  readonly opening: Opening;
  readonly steps: readonly Step[];
}

export interface TrainingReportData {
  readonly kind: "training";
  readonly title: string;
  readonly records: readonly TrainRecord[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly engine?: Readonly<Record<string, unknown>>;
  /** Findings about the run's health. Reports of earlier versions lack them. */
  readonly health?: readonly Finding[];
  /** Sections to be printed. Reports of earlier versions, and those of a gym, lack them. */
  readonly paper?: readonly PaperSection[];
}

export interface EvaluationReportData {
  readonly kind: "evaluation";
  readonly report: EvaluationReport;
  readonly records: readonly Omit<EpisodeRecord, "index">[];
  /** Instructions of the environment. */
  readonly prompt?: string;
}

/** Evaluations of several environments. */
export interface SuiteReportData {
  readonly kind: "suite";
  readonly title: string;
  readonly complete: boolean;
  readonly tables: readonly {
    readonly heading: string;
    readonly columns: readonly string[];
    readonly rows: readonly (readonly string[])[];
    /** Rows that others published. */
    readonly quoted?: readonly (readonly string[])[];
    readonly note?: string;
  }[];
  readonly charts: readonly {
    readonly title: string;
    readonly note: string;
    readonly rows: readonly IntervalRow[];
  }[];
  /** Reports of the environments. */
  readonly links: readonly { readonly label: string; readonly href: string; readonly note: string }[];
  readonly notes: readonly string[];
}

/** Curves alone. */
export interface CurvesReportData {
  readonly kind: "curves";
  readonly title: string;
  readonly note: string;
  readonly sections: readonly {
    readonly heading: string;
    readonly charts: readonly {
      readonly title: string;
      readonly isShare?: boolean;
      readonly curves: readonly Curve[];
    }[];
  }[];
}

export interface PaperSection {
  readonly heading: string;
  readonly texts?: readonly string[];
  readonly facts?: readonly (readonly [name: string, value: string])[];
  readonly tables?: readonly {
    readonly title: string;
    readonly columns: readonly string[];
    readonly rows: readonly (readonly string[])[];
  }[];
  readonly charts?: readonly BandPlan[];
}

/** A page for print. */
export interface PaperData {
  readonly kind: "paper";
  readonly title: string;
  readonly note: string;
  readonly sections: readonly PaperSection[];
}

export type Report =
  | EpisodeReportData
  | TrainingReportData
  | EvaluationReportData
  | SuiteReportData
  | CurvesReportData
  | PaperData;
