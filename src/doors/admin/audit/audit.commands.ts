import { createPublicKey } from 'node:crypto';
import { accessSync, constants, readFileSync } from 'node:fs';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { Clock } from '../../../core/ports/clock.js';
import { AuditSigner } from '../../../core/audit/audit-signer.js';
import { checkAuditExports, type ExportVerdict } from '../../../identity/audit/audit-export-check.js';
import { writeAuditExport } from '../../../identity/audit/audit-export.js';
import type { AuditRecord } from '../../../core/audit/access.js';
import { AuditArchiveRegistry, type AuditArchive } from '../../../core/audit/audit-archive.js';
import { TrailCheck } from '../../../core/audit/trail-check.js';
import { AuditLog, type AuditVerdict } from '../../../core/audit/audit-log.js';
import { CliMisuse, type CliReport } from '../../../platform/cli/cli-command.js';
import { optional, required } from '../../../platform/cli/command-options.js';
import { adminGroup } from '../action/admin-group.js';
import { environmentOf } from './audit-archive.commands.js';
import { factReport, tableReport, toFactList } from '../../../platform/cli/command-report.js';

const { command, group } = adminGroup({
  audit: AuditLog,
  check: TrailCheck,
  registry: AuditArchiveRegistry,
  signer: AuditSigner,
  clock: Clock,
});

const DEFAULT_LIMIT = 100;
const LARGEST_LIMIT = 10_000;

const list = command({
  usage: `audit list [--org ID] [--env test|live] [--patient NUMBER|ID] [--from RFC3339] [--to RFC3339] [--limit 1-${LARGEST_LIMIT}] [--before ID]`,
  summary:
    'Who came to whose data, what was refused and what operators did, newest first; without --org of all organizations and of the service itself. --before goes on behind the last row of the list before.',
  prepare(values) {
    const environment = environmentOf(values);
    const before = optional(values, 'before') ?? null;
    if (before !== null && !/^\d{1,18}$/.test(before)) throw new CliMisuse('--before must be the number of a row.');
    const limit = Number(optional(values, 'limit') ?? DEFAULT_LIMIT);
    if (!Number.isInteger(limit) || limit < 1 || limit > LARGEST_LIMIT)
      throw new CliMisuse(`--limit must be a number from 1 to ${LARGEST_LIMIT}.`);
    const filter = {
      organizationId: optional(values, 'org'),
      environment: environment,
      patient: optional(values, 'patient'),
      from: momentOf(optional(values, 'from'), 'from'),
      to: momentOf(optional(values, 'to'), 'to'),
    };
    return async ({ operator, audit, trail, registry }) => {
      const records = await audit.list(filter, limit, before);
      await trail.record(operator, {
        interaction: 'search-type',
        action: 'R',
        of: { organizationId: filter.organizationId, environment },
        resources: [],
        query: 'AuditEvent',
      });
      const { from, to } = filter;
      const archived = (await registry.list(filter)).filter(
        ({ oldestAt, newestAt }) => (from === undefined || newestAt >= from) && (to === undefined || oldestAt < to),
      );
      return describeRows(records, records.length < limit ? archived : []);
    };
  },
});

const verify = command({
  usage: 'audit verify [--export FILE[,FILE…] [--public-key FILE]]',
  summary:
    'Seal what is not sealed yet, and check the whole chain, archives included: whether a row was changed, removed or slipped in. --export: check files of "audit export" or archives instead, by themselves and without a database; --public-key: the key that you have from elsewhere.',
  isStandalone: (values) => values['export'] !== undefined,
  prepare(values) {
    const files = optional(values, 'export')?.split(',');
    const keyFile = optional(values, 'public-key');
    if (files === undefined && keyFile !== undefined) throw new CliMisuse('--public-key goes with --export.');
    if (files !== undefined)
      return async () => {
        const publicKey = keyFile === undefined ? null : publicKeyOf(keyFile);
        for (const file of files) readable(file, () => accessSync(file, constants.R_OK));
        return describeExport(await checkAuditExports(files, publicKey));
      };
    return async ({ audit, check }) => {
      await audit.seal();
      return describeVerdict(await check.run());
    };
  },
});

const exportTrail = command({
  usage: 'audit export --out FILE [--org ID] [--env test|live]',
  summary:
    'Seal what is not sealed yet, and write the trail to a new file, signed, for "audit verify --export"; without --org of all organizations and of the service itself.',
  prepare(values) {
    const out = required(values, 'out');
    const filter = { organizationId: optional(values, 'org'), environment: environmentOf(values) };
    return async ({ operator, audit, trail, signer, clock }) => {
      const query = new URLSearchParams(
        Object.entries(filter).filter((field): field is [string, string] => field[1] !== undefined),
      );
      // Before the file, which therefore has it.
      await trail.record(operator, {
        interaction: '$export-audit',
        action: 'R',
        of: filter,
        resources: [],
        query: query.toString(),
      });
      await audit.seal();
      const { chains, keyId } = await writeAuditExport(out, audit.blocks(filter), signer, clock.now());
      const rows = chains.reduce((sum, chain) => sum + chain.rows, 0);
      return factReport(
        { file: out, rows, chains, keyId },
        { file: out, rows: String(rows), chains: String(chains.length), 'signed with': keyId },
      );
    };
  },
});

/** The trail at the command line; `audit export` is a route, too: AuditExportController. */
export const AUDIT_COMMANDS = group('AuditController', [list, verify, exportTrail]).commands;

function publicKeyOf(file: string): string {
  const pem = readable(file, () => readFileSync(file, 'utf8'));
  try {
    if (createPublicKey(pem).asymmetricKeyType === 'ed25519') return pem;
  } catch {
    // The sentence below says it.
  }
  throw new SuturaError('request.invalid', { detail: `${file} is no Ed25519 public key in PEM.` });
}

function readable<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw new SuturaError('request.invalid', { detail: `The file cannot be read: ${file}.` });
  }
}

function momentOf(given: string | undefined, name: string): Date | undefined {
  if (given === undefined) return undefined;
  const moment = new Date(given);
  if (Number.isNaN(moment.getTime())) throw new CliMisuse(`--${name} must be a moment, such as 2026-01-05T08:30:00Z.`);
  return moment;
}

/** `archived`: where rows that belong to the answer, and are older, lie now. */
function describeRows(records: readonly AuditRecord[], archived: readonly AuditArchive[]): CliReport {
  const table = tableReport(records, {
    ROW: ({ id }) => id,
    WHEN: ({ recordedAt }) => recordedAt.toISOString(),
    ENVIRONMENT: ({ environment }) => environment,
    DOOR: ({ door }) => door,
    WHAT: ({ interaction }) => interaction,
    REFUSED: ({ refusal }) =>
      refusal === null ? null : refusal.occurrences === 1 ? refusal.code : `${refusal.code} (${refusal.occurrences})`,
    KEY: ({ keyId }) => keyId,
    PERSON: ({ person }) => person,
    FROM: ({ address }) => address,
    PATIENT: ({ patientId }) => patientId,
    RESOURCES: ({ resources, query }) => [...resources, ...(query === null ? [] : [query])].join(' '),
  });
  if (archived.length === 0) return table;
  const upTo = archived
    .map(({ newestAt }) => newestAt.toISOString())
    .sort()
    .at(-1)!;
  const note = `Rows up to ${upTo} lie in archives: ${archived.length}. "audit archives --org ID --out DIR" gives them out.`;
  return { ...table, text: `${table.text}\n\n${note}` };
}

function describeExport(verdict: ExportVerdict): CliReport {
  const { rows, seals, chains, keys, isKeyGiven, breaks } = verdict;
  const facts = toFactList({
    'rows in the files': String(rows),
    seals: String(seals),
    chains: String(chains.length),
    'key fingerprint': keys.join(','),
    breaks: String(breaks.length),
  });
  const parts = chains.filter(({ first }) => first > 1);
  const notes = [
    ...(isKeyGiven
      ? []
      : [
          'The key is the one in the file: compare its fingerprint with the one that you have from elsewhere, or name yours with --public-key.',
        ]),
    ...parts.map(
      ({ organizationId, environment, first }) =>
        `The chain of ${organizationId} ${environment} begins with seal ${first}: what is before lies in another file.`,
    ),
  ];
  if (breaks.length === 0) return { json: verdict, text: [facts, ...notes, 'The files are whole.'].join('\n\n') };
  const places = tableReport(breaks, {
    FILE: ({ file }) => file,
    LINE: ({ line }) => String(line),
    BREAK: ({ reason }) => reason,
  });
  return { json: verdict, failed: true, text: [facts, ...notes, places.text].join('\n\n') };
}

function describeVerdict(verdict: AuditVerdict): CliReport {
  const { rows, seals, breaks } = verdict;
  const facts = toFactList({ 'rows in the chain': String(rows), seals: String(seals), breaks: String(breaks.length) });
  if (breaks.length === 0) return { json: verdict, text: `${facts}\n\nThe chain is whole.` };
  const places = tableReport(breaks, {
    ORGANIZATION: ({ organizationId }) => organizationId,
    ENVIRONMENT: ({ environment }) => environment,
    SEAL: ({ seal }) => (seal === null ? null : String(seal)),
    BREAK: ({ reason }) => reason,
  });
  return { json: verdict, failed: true, text: `${facts}\n\n${places.text}` };
}
