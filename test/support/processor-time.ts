/**
 * Milliseconds of processor time of the quickest of five runs, so that what the first one compiles does not count. A busy
 * machine stretches this too, by less than the wall clock: compare with another figure of the same run.
 */
export function processorMs(run: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}
