import { counted, finding, notKnown, type Finding } from './finding.js';
import { latestSeen } from './work-findings.js';
import type { ProcessFacts } from './standing-facts.js';

/** As SuturaBackupOld of ops/alerts.yml: a day and two hours. */
const BACKUP_OLD_S = 26 * 3600;
/** The trail is sealed every minute. */
const SEAL_OLD_S = 5 * 60;
/** Figures of the processes that these findings are read from. */
export const FREE = 'sutura_data_free_bytes';
export const LEAST_FREE = 'sutura_data_least_free_bytes';
export const BACKUP_AGE = 'sutura_backup_age_seconds';
export const SEAL_AGE = 'sutura_audit_seal_age_seconds';
export const CHAIN_BREAKS = 'sutura_audit_chain_breaks';
const MIB = 1024 * 1024;

/** A database that takes no writes: a stand-by, or one that an administrator or a full disk made so. */
export function databaseFindings(isReadOnly: boolean | null, now: Date): Finding[] {
  const part = 'database';
  if (isReadOnly === null) return [notKnown(part, 'Whether the database takes writes')];
  if (!isReadOnly)
    return [finding({ part, state: 'well', words: 'The database answers and takes writes', provenAt: now })];
  return [
    finding({
      part,
      state: 'broken',
      fault: 'database_read_only',
      words: 'The database takes no writes: nothing new is kept, and nothing is sent',
      nextStep:
        'Look whether DATABASE_URL names the primary, whether its disk is full, and who set default_transaction_read_only.',
    }),
  ];
}

/** Disk, back-up, what /health/ready says of each process, and the seal of the trail. */
export function installationFindings(processes: readonly ProcessFacts[] | null, now: Date): Finding[] {
  if (processes === null)
    return [
      notKnown('disk', 'How much room the disk has'),
      notKnown('backup', 'How old the last back-up is'),
      notKnown('parts', 'Whether every process is ready'),
      notKnown('audit', 'Whether the audit trail is sealed'),
    ];
  const fresh = processes.filter(({ isFresh }) => isFresh);
  return [...diskFindings(fresh), ...backupFindings(fresh, now), ...partFindings(fresh), ...auditFindings(fresh, now)];
}

function diskFindings(fresh: readonly ProcessFacts[]): Finding[] {
  const part = 'disk';
  const known = fresh.filter(({ figures }) => figures[FREE] !== undefined && figures[LEAST_FREE] !== undefined);
  const low = known.filter(({ figures }) => figures[FREE]! < 2 * figures[LEAST_FREE]!);
  if (known.length === 0)
    return [
      finding({
        part,
        state: 'unknown',
        words: 'How much room there is is not known: no process that reports keeps data on a disk of its own',
        nextStep: 'Watch the disks of the database and the object store with their own tools.',
      }),
    ];
  if (low.length === 0) {
    const least = Math.min(...known.map(({ figures }) => figures[FREE]!));
    return [
      finding({
        part,
        state: 'well',
        words: `The fullest disk of a data folder has ${sizeInWords(least)} left`,
        provenAt: latestSeen(known),
      }),
    ];
  }
  return low.map(({ id, host, figures, failing }) => {
    const isFull = figures[FREE]! < figures[LEAST_FREE]!;
    return finding({
      part,
      state: isFull ? 'broken' : 'waiting',
      fault: 'disk_full',
      words: `The disk of the data folder on ${host} has ${sizeInWords(figures[FREE]!)} left${isFull ? ': photos and messages are refused' : ''}`,
      since: failing['disk'] ?? null,
      subject: { kind: 'process', id },
      nextStep: 'Make room, or enlarge the disk.',
    });
  });
}

function backupFindings(fresh: readonly ProcessFacts[], now: Date): Finding[] {
  const part = 'backup';
  const ages = fresh.flatMap(({ figures }) => (figures[BACKUP_AGE] === undefined ? [] : [figures[BACKUP_AGE]]));
  if (ages.length === 0)
    return [
      finding({
        part,
        state: 'unknown',
        words: 'When the last back-up was is not known: nobody has told this service of one',
        nextStep: 'Let whatever backs up touch the file last-backup in the data folder.',
      }),
    ];
  const ageS = Math.min(...ages);
  const at = new Date(now.getTime() - ageS * 1000);
  if (ageS <= BACKUP_OLD_S)
    return [finding({ part, state: 'well', words: 'The last back-up is less than 26 hours old', provenAt: at })];
  return [
    finding({
      part,
      state: 'broken',
      fault: 'backup_old',
      words: `The last back-up is ${Math.floor(ageS / 3600)} hours old, or there was none since the start`,
      since: new Date(at.getTime() + BACKUP_OLD_S * 1000),
      nextStep: 'Take one (npm run backup), and look why the last did not run.',
    }),
  ];
}

/** These have findings of their own. */
const TOLD_ELSEWHERE: readonly string[] = ['inference', 'disk'];

function partFindings(fresh: readonly ProcessFacts[]): Finding[] {
  const part = 'parts';
  if (fresh.length === 0)
    return [
      finding({
        part,
        state: 'unknown',
        words: 'No process reports how it stands',
        nextStep: 'Look whether the gateway runs.',
      }),
    ];
  const failed = fresh.flatMap(({ id, host, roles, failing }) =>
    Object.entries(failing)
      .filter(([name]) => !TOLD_ELSEWHERE.includes(name))
      .map(([name, since]) =>
        finding({
          part,
          state: 'broken',
          fault: 'part_failed',
          words: `A process on ${host} (${roles.join(', ')}) is not ready: ${name}`,
          since,
          subject: { kind: 'process', id },
          nextStep: 'See SuturaNotReady in the runbooks for each part.',
        }),
      ),
  );
  if (failed.length > 0) return failed;
  return [
    finding({
      part,
      state: 'well',
      words: `${counted(fresh.length, 'process reports and is', 'processes report and are')} ready`,
      provenAt: latestSeen(fresh),
    }),
  ];
}

function auditFindings(fresh: readonly ProcessFacts[], now: Date): Finding[] {
  const part = 'audit';
  const ages = fresh.flatMap(({ figures }) => (figures[SEAL_AGE] === undefined ? [] : [figures[SEAL_AGE]]));
  const breaks = Math.max(0, ...fresh.map(({ figures }) => figures[CHAIN_BREAKS] ?? 0));
  const sealedAt = ages.length === 0 ? null : new Date(now.getTime() - Math.min(...ages) * 1000);
  const broken =
    breaks === 0
      ? []
      : [
          finding({
            part,
            state: 'broken',
            fault: 'audit_chain_broken',
            words: `The last check of the audit trail found ${breaks} break${breaks === 1 ? '' : 's'}: entries are missing or were changed`,
            nextStep: 'Run audit verify, keep what it says, and ask who had access to the database.',
          }),
        ];
  if (sealedAt === null)
    return [
      ...broken,
      finding({
        part,
        state: 'unknown',
        words: 'Whether the audit trail is sealed is not known: no process that seals it reports',
      }),
    ];
  const isOld = now.getTime() - sealedAt.getTime() > SEAL_OLD_S * 1000;
  return [
    ...broken,
    isOld
      ? finding({
          part,
          state: 'broken',
          fault: 'audit_not_sealed',
          words: 'The audit trail is not sealed: entries can be changed without a trace',
          since: sealedAt,
          provenAt: sealedAt,
          nextStep: 'Read audit.not_sealed in the log; the database may be full or read-only.',
        })
      : finding({ part, state: 'well', words: 'The audit trail is sealed every minute', provenAt: sealedAt }),
  ];
}

function sizeInWords(bytes: number): string {
  return bytes < 10 * 1024 * MIB ? `${Math.floor(bytes / MIB)} MiB` : `${Math.floor(bytes / 1024 / MIB)} GiB`;
}
