/** What a run says of itself: metrics, live progress and the report. */
export { type BatchMetrics, batchMetrics, lossMetrics } from "./batch-metrics.js";
export { htmlReport, type ReportInput, writeHtmlReport } from "./html-report.js";
export {
  type MetricName,
  type Metrics,
  type MetricsSink,
  metricNames,
  metrics,
  type TrainRecord,
} from "./metric-names.js";
export { MetricsLog, readMetrics } from "./metrics.js";
export { PatientSink } from "./patient-sink.js";
export { PrometheusMetrics } from "./prometheus.js";
export { TensorBoardEvents } from "./tensorboard.js";
export { type ProgressOptions, TerminalProgress } from "./terminal-progress.js";
