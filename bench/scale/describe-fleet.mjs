const KIB = 1024;
/** From here on a thread or a machine has no room left worth the name. */
const FULL = 0.9;

/** One fleet's figures as lines for people. */
export function describeFleet(outcome) {
  const { gateways, workers, jobs, repeated, failed, kills, repeats } = outcome;
  const name = `${gateways} gateways, ${workers} workers`;
  const kept = `${jobs} jobs acknowledged, none lost`;
  if (kills !== undefined) {
    const struck = `killed ${kills.gateway} gateways and ${kills.worker} workers`;
    const aftermath = `${repeats} requests sent again, ${repeated} jobs started more than once, ${failed} given up after three starts`;
    return `${name}: ${struck}; ${kept}; ${aftermath}`;
  }
  const { perSecond, latencies, connections, active, memoryMiB } = outcome;
  return [
    `${name}: ${perSecond.toFixed(1)} jobs/s, p50 ${latencies.p50} ms, p95 ${latencies.p95} ms; ${kept}`,
    `  full: ${whatIsFull(outcome)}`,
    `  ms of a core per second without work: ${idleCosts(outcome)}`,
    `  ms of a core per job beyond that: ${costsPerJob(outcome)}; other programs had ${outcome.otherCores.toFixed(2)} cores`,
    `  connections ${connections}, at once active ${active}; waits ${shares(outcome.waits)}`,
    `  per job: ${commitsPerJob(outcome)} commits, ${perJobKib(outcome, 'walBytes')} KiB of WAL, ${perJobKib(outcome, 'databaseBytes')} KiB of database, ${((outcome.storeBytesPerJob ?? Number.NaN) / KIB).toFixed(0)} KiB of store`,
    `  largest process: gateway ${memoryMiB.gateway} MiB, worker ${memoryMiB.worker} MiB`,
  ].join('\n');
}

/** What has no room left: kinds of processes with a thread at its limit, or the machine. */
function whatIsFull({ busiest, machineBusy }) {
  const kinds = Object.entries(busiest).filter(([kind, share]) => kind !== 'postgres' && share >= FULL);
  const names = kinds.map(([kind, share]) => `${kind} (${share.toFixed(2)} cores)`);
  if (machineBusy >= FULL) names.unshift(`the machine (${(machineBusy * 100).toFixed(0)} % busy)`);
  return names.join(', ') || `nothing (machine ${(machineBusy * 100).toFixed(0)} % busy)`;
}

/** Beyond what the fleet takes when it has nothing to do. */
function costsPerJob({ cores, idle, tookMs, ended }) {
  return Object.entries(cores)
    .map(([kind, share]) => `${kind} ${(((share - idle.cores[kind]) * tookMs) / ended).toFixed(1)}`)
    .join(', ');
}

function idleCosts({ idle }) {
  const shares = Object.entries(idle.cores).map(([kind, share]) => `${kind} ${(share * 1000).toFixed(0)}`);
  return `${shares.join(', ')}; ${((idle.commits / idle.tookMs) * 1000).toFixed(1)} commits/s`;
}

function commitsPerJob({ commits, idle, tookMs, ended }) {
  return ((commits - (idle.commits / idle.tookMs) * tookMs) / ended).toFixed(1);
}

function perJobKib(outcome, figure) {
  return (outcome[figure] / outcome.ended / KIB).toFixed(1);
}

function shares(waits) {
  return Object.entries(waits)
    .map(([what, share]) => `${what} ${(share * 100).toFixed(0)} %`)
    .join(', ');
}
