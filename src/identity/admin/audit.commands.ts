import type { AuditRecord } from '../../core/audit/access.js';
import type { AuditLog, AuditVerdict } from '../../core/ports/audit-trail.js';
import { ENVIRONMENTS, type Environment } from '../../core/tenancy/tenant.js';
import { CliMisuse, optional, required, type CliCommand, type CliReport } from './cli-command.js';
import { TEXT } from './command-input.js';
import { tableReport } from './command-report.js';
import { toFactList } from './text-table.js';

export interface AuditServices {
  readonly audit: AuditLog;
}

type AuditCommand = CliCommand<AuditServices>;
type Run = (services: AuditServices) => Promise<CliReport>;

const DEFAULT_LIMIT = 100;
const LARGEST_LIMIT = 10_000;

const list: AuditCommand = {
  name: 'audit list',
  usage: `--org ID [--env test|live] [--patient ID] [--from RFC3339] [--to RFC3339] [--limit 1-${LARGEST_LIMIT}] [--before ID]`,
  summary: 'Who came to whose data, newest first. --before goes on behind the last row of the list before.',
  options: { org: TEXT, env: TEXT, patient: TEXT, from: TEXT, to: TEXT, limit: TEXT, before: TEXT },
  prepare(values): Run {
    const environment = optional(values, 'env');
    if (environment !== undefined && !(ENVIRONMENTS as readonly string[]).includes(environment)) throw new CliMisuse('--env must be test or live.');
    const before = optional(values, 'before') ?? null;
    if (before !== null && !/^\d{1,18}$/.test(before)) throw new CliMisuse('--before must be the number of a row.');
    const limit = Number(optional(values, 'limit') ?? DEFAULT_LIMIT);
    if (!Number.isInteger(limit) || limit < 1 || limit > LARGEST_LIMIT) throw new CliMisuse(`--limit must be a number from 1 to ${LARGEST_LIMIT}.`);
    const filter = {
      organizationId: required(values, 'org'),
      environment: environment as Environment | undefined,
      patientId: optional(values, 'patient'),
      from: momentOf(optional(values, 'from'), 'from'),
      to: momentOf(optional(values, 'to'), 'to'),
    };
    return async ({ audit }) => describeRows(await audit.list(filter, limit, before));
  },
};

const verify: AuditCommand = {
  name: 'audit verify',
  usage: '',
  summary: 'Seal what is not sealed yet, and check the whole chain: whether a row was changed, removed or slipped in.',
  options: {},
  prepare(): Run {
    return async ({ audit }) => {
      await audit.seal();
      return describeVerdict(await audit.verify());
    };
  },
};

export const AUDIT_COMMANDS: readonly AuditCommand[] = [list, verify];

function momentOf(given: string | undefined, name: string): Date | undefined {
  if (given === undefined) return undefined;
  const moment = new Date(given);
  if (Number.isNaN(moment.getTime())) throw new CliMisuse(`--${name} must be a moment, such as 2026-01-05T08:30:00Z.`);
  return moment;
}

function describeRows(records: readonly AuditRecord[]): CliReport {
  return tableReport(records, {
    ROW: ({ id }) => id,
    WHEN: ({ recordedAt }) => recordedAt.toISOString(),
    ENVIRONMENT: ({ environment }) => environment,
    DOOR: ({ door }) => door,
    WHAT: ({ interaction }) => interaction,
    KEY: ({ keyId }) => keyId,
    FROM: ({ address }) => address,
    PATIENT: ({ patientId }) => patientId,
    RESOURCES: ({ resources, query }) => [...resources, ...(query === null ? [] : [query])].join(' '),
  });
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
