/** Chooses a gym for each request, like a load balancer: any gym whose health check succeeds. */
import { request } from "undici";
import type { MersenneTwister } from "#palestra/envs/shared/rng/mersenne-twister.js";

const [intervalMs, timeoutMs] = [500, 2_000];

export class Balancer {
  private readonly healthy: Set<string>;
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(
    private readonly urls: readonly string[],
    private readonly random: MersenneTwister,
  ) {
    this.healthy = new Set(urls);
    for (const url of urls) this.timers.push(setInterval(() => void this.check(url), intervalMs));
  }

  choose(): string {
    return this.random.choice(this.healthy.size > 0 ? [...this.healthy] : this.urls);
  }

  stop(): void {
    for (const timer of this.timers) clearInterval(timer);
  }

  private async check(url: string): Promise<void> {
    try {
      const { statusCode, body } = await request(`${url}/readyz`, { signal: AbortSignal.timeout(timeoutMs) });
      await body.dump();
      if (statusCode !== 200) throw new Error(`status ${statusCode}`);
      this.healthy.add(url);
    } catch {
      this.healthy.delete(url);
    }
  }
}
