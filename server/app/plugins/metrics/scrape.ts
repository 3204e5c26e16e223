/** Writes metrics in the format of Prometheus, together with the metrics of the process. */
import { collectDefaultMetrics, type Metric, Registry } from "prom-client";
import type { Family } from "./family.js";

/** Text of all metrics. The process's own garbage collections and event loop are watched from the first scrape on. */
export class Scrape {
  private readonly registry = new Registry();
  readonly contentType = this.registry.contentType;

  constructor(families: readonly Family[]) {
    // prom-client needs only the name and the values of a metric, but its types accept only its own classes.
    for (const family of families) this.registry.registerMetric(family as unknown as Metric);
    collectDefaultMetrics({ register: this.registry });
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }
}
