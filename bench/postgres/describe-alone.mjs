const KIB = 1024;
const CORES_OF_TARGET = 2;

/** What PostgreSQL did as lines for people. */
export function describeAlone({ lanes, jobs, emptyClaims, price, ...measured }) {
  const each = `a photo is ${price.statements.toFixed(1)} statements in ${price.flights.toFixed(1)} round trips, beside what is gathered from several`;
  const counted = `${jobs} photos, each counted afterwards: none is missing; ${each}; ${emptyClaims} claims were repeated`;
  if (measured.ended === undefined) return counted;
  const { perSecond, latencies, ended, tookMs, cores, machineBusy, otherCores } = measured;
  const msPerJob = (kind) => (cores[kind] * tookMs) / ended;
  const perJob = (figure) => measured[figure] / ended;
  const waits = Object.entries(measured.waits).map(([what, share]) => `${what} ${(share * 100).toFixed(0)} %`);
  return [
    `${lanes} lanes: ${perSecond.toFixed(1)} jobs/s for ${(tookMs / 1000).toFixed(0)} s, p50 ${latencies.p50} ms, p95 ${latencies.p95} ms, p99 ${latencies.p99} ms`,
    `  ${counted}`,
    `  ms of a core per job: PostgreSQL ${msPerJob('postgres').toFixed(2)}, the load ${msPerJob('load driver').toFixed(2)}`,
    `  the machine was ${(machineBusy * 100).toFixed(0)} % busy: PostgreSQL ${cores.postgres.toFixed(2)} cores, the load ${cores['load driver'].toFixed(2)}, other programs ${otherCores.toFixed(2)}`,
    `  by processor time alone, ${CORES_OF_TARGET} cores of its own: ${((CORES_OF_TARGET * 1000) / msPerJob('postgres')).toFixed(0)} jobs/s`,
    `  per job: ${perJob('commits').toFixed(1)} transactions, ${perJob('walFlushes').toFixed(2)} flushes and ${(perJob('walBytes') / KIB).toFixed(1)} KiB of WAL, ${(perJob('databaseBytes') / KIB).toFixed(1)} KiB of database`,
    `  connections ${measured.connections}, at once active ${measured.active}; statements were seen at: ${waits.join(', ')}`,
  ].join('\n');
}
