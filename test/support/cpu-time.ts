/** Processor time of work in this process, which other processes of the machine do not lengthen. */

/** Runs work, and returns the milliseconds of processor time that this process has used meanwhile. */
export function cpuMs(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
