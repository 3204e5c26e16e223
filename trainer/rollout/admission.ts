/**
 * Admission of groups, which prevents groups from being too old when they are learned from (AReaL, Fu et al. 2025,
 * section 5.1):
 *
 *     capacity = min(max(1, max_concurrent_groups) - running, (eta + v + 1) B - (accepted + running))
 *
 * with the version v of the weights, the bound eta = max_head_offpolicyness and the B groups of a train step. At most
 * (eta + v + 1) B groups have started at version v, of which v B were consumed. So the batches of the versions up to v + eta
 * have room for all of them. A batch waits for running groups where later batches would not have that room: no group is ever
 * too old, and none is dropped.
 */
export interface AdmissionOptions {
  /** Maximum number of groups in flight; 0 counts as 1. */
  readonly maxConcurrentGroups: number;
  /** eta: maximum number of versions between a group and the weights that learn from it. */
  readonly maxHeadOffpolicyness: number;
  /** B: number of groups that a train step consumes. */
  readonly batchSize: number;
}

export class Admission {
  private versionNow = 0;
  private runningNow = 0;
  private acceptedSoFar = 0;

  constructor(readonly options: AdmissionOptions) {
    expectWhole("maxConcurrentGroups", options.maxConcurrentGroups, 0);
    expectWhole("maxHeadOffpolicyness", options.maxHeadOffpolicyness, 0);
    expectWhole("batchSize", options.batchSize, 1);
  }

  get version(): number {
    return this.versionNow;
  }

  get running(): number {
    return this.runningNow;
  }

  /** Number of groups that were consumed or wait to be consumed. */
  get accepted(): number {
    return this.acceptedSoFar;
  }

  /** Number of groups that may start now; negative after a resume with a smaller batch. */
  get capacity(): number {
    const { maxConcurrentGroups, maxHeadOffpolicyness, batchSize } = this.options;
    const concurrency = Math.max(1, maxConcurrentGroups) - this.runningNow;
    const staleness = (maxHeadOffpolicyness + this.versionNow + 1) * batchSize - (this.acceptedSoFar + this.runningNow);
    return Math.min(concurrency, staleness);
  }

  /** Records that a group starts. */
  begin(): void {
    if (this.capacity < 1)
      throw new RangeError(`expected a capacity of at least 1 group, but received ${this.capacity}`);
    this.runningNow += 1;
  }

  /** Records that a group ended and will be learned from. */
  accept(): void {
    this.end();
    this.acceptedSoFar += 1;
  }

  /** Records that a group failed or was filtered, so that a new group may start. */
  reject(): void {
    this.end();
  }

  /**
   * Returns whether the groups that a batch leaves can still be learned from in time.
   *
   * @param begun versions at which the groups started that wait or run and are not in the batch
   */
  leavesTime(begun: readonly number[]): boolean {
    const { maxHeadOffpolicyness, batchSize } = this.options;
    const sorted = [...begun].sort((a, b) => a - b);
    // The group at place k is learned from k / B batches after the next version, if those that started first come first.
    return sorted.every(
      (start, at) => this.versionNow + 1 + Math.floor(at / batchSize) <= start + maxHeadOffpolicyness,
    );
  }

  /** Records a new version of the weights. */
  advance(version: number): void {
    expectWhole("version", version, this.versionNow);
    this.versionNow = version;
  }

  /**
   * Resumes at the version of a checkpoint, as if each train step so far had consumed its batch. With a lower count,
   * too many groups would start at once and be too old before they are consumed.
   */
  resume(version: number): void {
    if (this.runningNow > 0)
      throw new RangeError(`expected no running groups at a resume, but received ${this.runningNow}`);
    expectWhole("version", version, 0);
    this.versionNow = version;
    this.acceptedSoFar = version * this.options.batchSize;
  }

  private end(): void {
    if (this.runningNow < 1) throw new RangeError("No group is running.");
    this.runningNow -= 1;
  }
}

function expectWhole(name: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new RangeError(`expected ${name} to be an integer of at least ${least}, but received ${value}`);
}
