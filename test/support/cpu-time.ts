/** The milliseconds of processor time that some work took: on a busy machine it waits longer, but works no longer. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
