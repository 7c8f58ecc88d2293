import { counted, finding, type Finding } from './finding.js';
import type { ProcessFacts } from './standing-facts.js';

/** A process that fell silent counts as missing for so long; later it was taken away. */
const MISSED_MS = 60 * 60_000;
/** A process that starts, and a hiccup, lack a part for a moment: nobody is called for that. */
const LASTING_MS = 10_000;
/** These have findings of their own; one that is stopping is no fault. */
const TOLD_ELSEWHERE: readonly string[] = ['inference', 'disk', 'stopping'];

export function latestSeen(processes: readonly ProcessFacts[]): Date | null {
  return processes.length === 0 ? null : new Date(Math.max(...processes.map(({ seenAt }) => seenAt.getTime())));
}

/** Those that stopped reporting within the last hour. */
export function missedOf(processes: readonly ProcessFacts[], now: Date): ProcessFacts[] {
  return processes.filter(({ isFresh, seenAt }) => !isFresh && now.getTime() - seenAt.getTime() < MISSED_MS);
}

/** The last report of each host. */
export function lastOfEachHost(processes: readonly ProcessFacts[]): ProcessFacts[] {
  const last = new Map<string, ProcessFacts>();
  for (const process of processes) {
    const known = last.get(process.host);
    if (known === undefined || known.seenAt < process.seenAt) last.set(process.host, process);
  }
  return [...last.values()];
}

/** Since when it has lacked the part, once it has for ten seconds; null: it has it, or it may have it in a moment. */
export function lacksSince({ failing, seenAt }: ProcessFacts, name: string): Date | null {
  const since = failing[name];
  return since !== undefined && seenAt.getTime() - since.getTime() >= LASTING_MS ? since : null;
}

/** What /health/ready says of each process, and which of them have stopped reporting. */
export function partFindings(processes: readonly ProcessFacts[], now: Date): Finding[] {
  const part = 'parts';
  const fresh = processes.filter(({ isFresh }) => isFresh);
  const found = [...unreadyFindings(fresh), ...stoppedFindings(processes, now)];
  if (found.length > 0) return found;
  if (fresh.length === 0)
    return [
      finding({
        part,
        state: 'unknown',
        words: 'No process reports how it stands',
        nextStep: 'Look whether the gateway runs.',
      }),
    ];
  const ready = fresh.filter(({ failing }) => Object.keys(failing).length === 0);
  if (ready.length === 0)
    return [
      finding({
        part,
        state: 'unknown',
        words:
          'No process that reports is ready: each is starting or being stopped, or lacks its model or room on its disk',
      }),
    ];
  return [
    finding({
      part,
      state: 'well',
      words: `${counted(ready.length, 'process reports and is', 'processes report and are')} ready`,
      provenAt: latestSeen(ready),
    }),
  ];
}

function unreadyFindings(fresh: readonly ProcessFacts[]): Finding[] {
  return fresh.flatMap((process) =>
    Object.keys(process.failing)
      .filter((name) => !TOLD_ELSEWHERE.includes(name))
      .flatMap((name) => {
        const since = lacksSince(process, name);
        if (since === null) return [];
        return [
          finding({
            part: 'parts',
            state: 'broken',
            fault: 'part_failed',
            words: `A process on ${process.host} (${process.roles.join(', ')}) is not ready: ${name}`,
            since,
            subject: { kind: 'process', id: process.id },
            nextStep: 'See SuturaNotReady in the runbooks for each part.',
          }),
        ];
      }),
  );
}

/**
 * What a process that died leaves undone. A role that no process has any more is told as long as the last report is
 * kept: nobody does its work. Workers are told of as workers.
 */
function stoppedFindings(processes: readonly ProcessFacts[], now: Date): Finding[] {
  const isDone = (role: string) => processes.some(({ isFresh, roles }) => isFresh && roles.includes(role));
  const stale = processes.filter(({ isFresh }) => !isFresh);
  const undone = [...new Set(stale.flatMap(({ roles }) => roles))].filter((role) => role !== 'worker' && !isDone(role));
  const replaced = missedOf(stale, now).filter(({ roles }) => !roles.includes('worker') && roles.every(isDone));
  const nextStep = 'Start it again, and read the end of its log.';
  return [
    ...undone.sort().map((role) => {
      const last = stale
        .filter(({ roles }) => roles.includes(role))
        .reduce((one, other) => (one.seenAt > other.seenAt ? one : other));
      return finding({
        part: 'parts',
        state: 'broken',
        fault: 'part_failed',
        words: `No process with the role ${role} reports any more; the last ran on ${last.host}`,
        since: last.seenAt,
        subject: { kind: 'process', id: last.id },
        nextStep: `${nextStep} One that was taken away on purpose is forgotten after seven days.`,
      });
    }),
    ...(replaced.length === 0
      ? []
      : [
          finding({
            part: 'parts',
            state: 'waiting',
            fault: 'part_failed',
            words: `${counted(replaced.length, 'process has', 'processes have')} stopped reporting (on ${hostsOf(replaced)}); others with the same roles report`,
            since: latestSeen(replaced),
            nextStep: `${nextStep} One that was taken away on purpose is forgotten after an hour.`,
          }),
        ]),
  ];
}

/** A few of them: a process that dies again and again has many reports. */
function hostsOf(processes: readonly ProcessFacts[]): string {
  const hosts = [...new Set(processes.map(({ host }) => host))].sort();
  return hosts.length <= 3 ? hosts.join(', ') : `${hosts.slice(0, 3).join(', ')} and ${hosts.length - 3} more hosts`;
}
