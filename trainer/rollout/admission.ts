/**
 * How many rollouts may begin, so that none is too old when it is learnt from (AReaL, Fu et al. 2025, section 5.1):
 *
 *     capacity = min(max(1, max_concurrent_groups) - running, (eta + v + 1) B - (accepted + running))
 *
 * with the version v of the weights, the bound eta = max_head_offpolicyness and the B rollouts of a train step. It bounds
 * the rollouts in the aggregate; one that runs on for many versions is dropped by the buffer, and its place given back.
 *
 * A rollout is whatever B counts: a group where a train step takes so many groups, a trajectory where it takes those.
 */
export interface AdmissionOptions {
  /** At least one runs, whatever is said. */
  readonly maxConcurrentRollouts: number;
  /** eta: versions that a rollout may lag behind the weights that learn from it. */
  readonly maxHeadOffpolicyness: number;
  /** B: rollouts that a train step consumes. */
  readonly batchSize: number;
}

export class Admission {
  private versionNow = 0;
  private runningNow = 0;
  private acceptedSoFar = 0;

  constructor(readonly options: AdmissionOptions) {
    expectWhole("maxConcurrentRollouts", options.maxConcurrentRollouts, 0);
    expectWhole("maxHeadOffpolicyness", options.maxHeadOffpolicyness, 0);
    expectWhole("batchSize", options.batchSize, 1);
  }

  get version(): number {
    return this.versionNow;
  }

  get running(): number {
    return this.runningNow;
  }

  /** Consumed or waiting to be. */
  get accepted(): number {
    return this.acceptedSoFar;
  }

  /** Rollouts that may begin now; negative where a resume or a smaller batch left more than there should be. */
  get capacity(): number {
    const { maxConcurrentRollouts, maxHeadOffpolicyness, batchSize } = this.options;
    const concurrency = Math.max(1, maxConcurrentRollouts) - this.runningNow;
    const staleness = (maxHeadOffpolicyness + this.versionNow + 1) * batchSize - (this.acceptedSoFar + this.runningNow);
    return Math.min(concurrency, staleness);
  }

  /** A rollout begins. */
  begin(): void {
    if (this.capacity < 1) throw new RangeError(`expected room for a rollout, but received ${this.capacity}`);
    this.runningNow += 1;
  }

  /** It ended, and will be learnt from. */
  accept(): void {
    this.end();
    this.acceptedSoFar += 1;
  }

  /** It ended, failed or unwanted: another may begin in its place. */
  reject(): void {
    this.end();
  }

  /** One that was accepted will not be learnt from after all: another may begin in its place. */
  drop(): void {
    if (this.acceptedSoFar < 1) throw new RangeError("expected an accepted rollout to drop, but received none");
    this.acceptedSoFar -= 1;
  }

  /** The weights have the next version. */
  advance(version: number): void {
    expectWhole("version", version, this.versionNow);
    this.versionNow = version;
  }

  /**
   * Goes on at a checkpoint's version: as if each train step so far had consumed its batch. With less accepted than that,
   * a burst of rollouts would begin that are all too old before they are consumed.
   */
  resume(version: number): void {
    if (this.runningNow > 0)
      throw new RangeError(`expected no running rollout at a resume, but received ${this.runningNow}`);
    expectWhole("version", version, 0);
    this.versionNow = version;
    this.acceptedSoFar = version * this.options.batchSize;
  }

  private end(): void {
    if (this.runningNow < 1) throw new RangeError("expected a running rollout to end, but received none");
    this.runningNow -= 1;
  }
}

function expectWhole(name: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new RangeError(`expected ${name} to be a whole number from ${least} up, but received ${value}`);
}
