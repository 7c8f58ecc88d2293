import { finding, notKnown, type Finding } from './finding.js';
import { lastOfEachHost, latestSeen, missedOf, partFindings } from './process-findings.js';
import type { ProcessFacts } from './standing-facts.js';

/** As SuturaBackupOld of ops/alerts.yml: a day and two hours. */
const BACKUP_OLD_S = 26 * 3600;
/** The trail is sealed every minute. */
const SEAL_OLD_S = 5 * 60;
/** Figures of the processes that these findings are read from. */
export const FREE = 'sutura_data_free_bytes';
export const LEAST_FREE = 'sutura_data_least_free_bytes';
export const BACKUP_AGE = 'sutura_backup_age_seconds';
/** 1: there was one; its age else counts from the first start. */
export const BACKUP_TAKEN = 'sutura_backup_taken';
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
  return [
    ...diskFindings(processes, now),
    ...backupFindings(fresh, now),
    ...partFindings(processes, now),
    ...chainFindings(fresh),
    ...sealFindings(fresh, now),
  ];
}

/** A process that its full disk has ended says no more of it: its last report counts until a process of that host reports. */
function diskFindings(processes: readonly ProcessFacts[], now: Date): Finding[] {
  const part = 'disk';
  const reporting = processes.filter(({ figures }) => figures[FREE] !== undefined && figures[LEAST_FREE] !== undefined);
  const known = reporting.filter(({ isFresh }) => isFresh);
  const silent = lastOfEachHost(missedOf(reporting, now)).filter(({ host }) => known.every((one) => one.host !== host));
  const low = [...known, ...silent].filter(({ figures }) => figures[FREE]! < 2 * figures[LEAST_FREE]!);
  if (low.length === 0 && known.length === 0)
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
  return low.map(({ id, host, figures, failing, isFresh }) => {
    const isFull = figures[FREE]! < figures[LEAST_FREE]!;
    const had = `${isFresh ? 'has' : 'had'} ${sizeInWords(figures[FREE]!)} left`;
    const outcome = !isFresh ? ' when its process last reported' : isFull ? ': photos and messages are refused' : '';
    return finding({
      part,
      state: isFull ? 'broken' : 'waiting',
      fault: 'disk_full',
      words: `The disk of the data folder on ${host} ${had}${outcome}`,
      since: failing['disk'] ?? null,
      subject: { kind: 'process', id },
      nextStep: 'Make room, or enlarge the disk.',
    });
  });
}

function backupFindings(fresh: readonly ProcessFacts[], now: Date): Finding[] {
  const part = 'backup';
  const told = fresh.filter(({ figures }) => figures[BACKUP_AGE] !== undefined);
  const taken = told.filter(({ figures }) => figures[BACKUP_TAKEN] === 1);
  const ages = (taken.length > 0 ? taken : told).map(({ figures }) => figures[BACKUP_AGE]!);
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
  const isOld = ageS > BACKUP_OLD_S;
  const since = new Date(at.getTime() + BACKUP_OLD_S * 1000);
  const nextStep = 'Take one (npm run backup), and look why the last did not run.';
  if (taken.length === 0)
    return [
      finding({
        part,
        words: 'No back-up has been taken yet',
        ...(isOld ? { state: 'broken', fault: 'backup_old', since } : { state: 'unknown' }),
        nextStep: 'Take one (npm run backup), and let it be taken every day.',
      }),
    ];
  if (!isOld)
    return [finding({ part, state: 'well', words: 'The last back-up is less than 26 hours old', provenAt: at })];
  const words = `The last back-up is ${Math.floor(ageS / 3600)} hours old`;
  return [finding({ part, state: 'broken', fault: 'backup_old', words, since, provenAt: at, nextStep })];
}

/** Each process checks the chain some minutes after its start, and each day from then on. */
function chainFindings(fresh: readonly ProcessFacts[]): Finding[] {
  const part = 'audit';
  const checks = fresh.flatMap(({ figures }) => (figures[CHAIN_BREAKS] === undefined ? [] : [figures[CHAIN_BREAKS]]));
  if (checks.length === 0)
    return [
      finding({
        part,
        state: 'unknown',
        words: 'Whether the audit trail is whole is not known: no process that reports has checked its chain yet',
        nextStep: 'A process checks it ten minutes after its start; audit verify checks it now.',
      }),
    ];
  const breaks = Math.max(...checks);
  if (breaks === 0) return [];
  return [
    finding({
      part,
      state: 'broken',
      fault: 'audit_chain_broken',
      words: `The last check of the audit trail found ${breaks} break${breaks === 1 ? '' : 's'}: entries are missing or were changed`,
      nextStep: 'Run audit verify, keep what it says, and ask who had access to the database.',
    }),
  ];
}

function sealFindings(fresh: readonly ProcessFacts[], now: Date): Finding[] {
  const part = 'audit';
  const ages = fresh.flatMap(({ figures }) => (figures[SEAL_AGE] === undefined ? [] : [figures[SEAL_AGE]]));
  if (ages.length === 0)
    return [
      finding({
        part,
        state: 'unknown',
        words: 'Whether the audit trail is sealed is not known: no process that reports has sealed it yet',
      }),
    ];
  const sealedAt = new Date(now.getTime() - Math.min(...ages) * 1000);
  if (now.getTime() - sealedAt.getTime() <= SEAL_OLD_S * 1000)
    return [finding({ part, state: 'well', words: 'The audit trail is sealed every minute', provenAt: sealedAt })];
  return [
    finding({
      part,
      state: 'broken',
      fault: 'audit_not_sealed',
      words: 'The audit trail is not sealed: entries can be changed without a trace',
      since: sealedAt,
      nextStep: 'Read audit.not_sealed in the log; the database may be full or read-only.',
    }),
  ];
}

function sizeInWords(bytes: number): string {
  return bytes < 10 * 1024 * MIB ? `${Math.floor(bytes / MIB)} MiB` : `${Math.floor(bytes / 1024 / MIB)} GiB`;
}
