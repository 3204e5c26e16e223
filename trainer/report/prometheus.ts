/** The newest metrics for Prometheus, served by a separate HTTP listener. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Gauge, Registry } from "prom-client";
import { isLoopback } from "../../server/formats/loopback.js";
import { foreignPart } from "../foreign-page.js";
import { type MetricName, type MetricsSink, metricNames, metrics, type TrainRecord } from "./metric-names.js";

/** Serves the newest metrics. The metric `actor/grad_norm` is named `palestra_train_actor_grad_norm`. */
export class PrometheusMetrics implements MetricsSink {
  readonly registry = new Registry();
  readonly #registers = [this.registry];
  readonly #gauges = new Map<MetricName, Gauge>();
  readonly #step = new Gauge({
    name: "palestra_train_step",
    help: "Optimiser updates of the run.",
    registers: this.#registers,
  });
  readonly #staleness = new Gauge({
    name: "palestra_train_staleness_tokens",
    help: "Tokens of the newest train step by their staleness.",
    labelNames: ["staleness"],
    registers: this.#registers,
  });
  #server: Server | undefined;

  /** Updates the metrics from a record. A metric appears with its first value, since an unmeasured metric is not 0. */
  write(record: TrainRecord): void {
    this.#step.set(record.step);
    for (const name of metricNames) {
      const value = record[name];
      if (value !== undefined) this.#gaugeOf(name).set(value);
    }
    // The record of an evaluation has no staleness, so the values of the last train step are kept.
    if (record.staleness) this.#staleness.reset();
    for (const [staleness, tokens] of record.staleness?.entries() ?? []) this.#staleness.set({ staleness }, tokens);
  }

  /**
   * Serves `GET /metrics`.
   *
   * @param port TCP port; 0 selects a free port
   * @returns the URL
   * @throws {Error} the address is taken
   */
  async listen({ host = "127.0.0.1", port }: { host?: string; port: number }): Promise<string> {
    const server = createServer((request, response) => {
      const foreign = isLoopback(host) ? foreignPart(request.headers) : undefined;
      if (foreign !== undefined) {
        const text = `expected a program that calls this machine by a loopback address, but received ${foreign}\n`;
        response.writeHead(403, { "content-type": "text/plain" }).end(text);
        return;
      }
      if (request.method !== "GET" || request.url !== "/metrics") {
        response.writeHead(404, { "content-type": "text/plain" }).end("expected GET /metrics\n");
        return;
      }
      this.registry.metrics().then(
        (text) => response.writeHead(200, { "content-type": this.registry.contentType }).end(text),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    });
    server.listen(port, host);
    await once(server, "listening");
    // The listener must not keep the process of a finished run alive.
    server.unref();
    this.#server = server;
    return `http://${host.includes(":") ? `[${host}]` : host}:${(server.address() as AddressInfo).port}/metrics`;
  }

  async close(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  }

  #gaugeOf(name: MetricName): Gauge {
    const known = this.#gauges.get(name);
    if (known) return known;
    const gauge = new Gauge({
      name: `palestra_train_${name.replaceAll(/[^a-z0-9]+/gi, "_")}`,
      help: metrics[name].help,
      registers: this.#registers,
    });
    this.#gauges.set(name, gauge);
    return gauge;
  }
}
