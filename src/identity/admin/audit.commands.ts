import { OperatorTrail, type Operator } from '../../core/audit/operator-trail.js';
import type { AuditRecord } from '../../core/audit/access.js';
import { AuditLog, type AuditVerdict } from '../../core/audit/audit-log.js';
import { ENVIRONMENTS, type Environment } from '../../core/tenancy/tenant.js';
import { CliMisuse, type CliCommand, type CliReport, type CommandGroup } from '../../platform/cli/cli-command.js';
import { optional, TEXT } from '../../platform/cli/command-options.js';
import { tableReport, toFactList } from '../../platform/cli/command-report.js';

interface AuditServices {
  readonly operator: Operator;
  readonly audit: AuditLog;
  readonly trail: OperatorTrail;
}

type AuditCommand = CliCommand<AuditServices>;
type Run = (services: AuditServices) => Promise<CliReport>;

const DEFAULT_LIMIT = 100;
const LARGEST_LIMIT = 10_000;

const list: AuditCommand = {
  name: 'audit list',
  usage: `[--org ID] [--env test|live] [--patient NUMBER|ID] [--from RFC3339] [--to RFC3339] [--limit 1-${LARGEST_LIMIT}] [--before ID]`,
  summary:
    'Who came to whose data, what was refused and what operators did, newest first; without --org of all organizations and of the service itself. --before goes on behind the last row of the list before.',
  options: { org: TEXT, env: TEXT, patient: TEXT, from: TEXT, to: TEXT, limit: TEXT, before: TEXT },
  prepare(values): Run {
    const environment = optional(values, 'env') as Environment | undefined;
    if (environment !== undefined && !(ENVIRONMENTS as readonly string[]).includes(environment))
      throw new CliMisuse('--env must be test or live.');
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
    return async ({ operator, audit, trail }) => {
      const records = await audit.list(filter, limit, before);
      await trail.record(operator, {
        interaction: 'search-type',
        action: 'R',
        of: { organizationId: filter.organizationId, environment },
        resources: [],
        query: 'AuditEvent',
      });
      return describeRows(records);
    };
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

export const AUDIT_COMMANDS: CommandGroup<AuditServices> = {
  providers: [],
  services: (app, operator) => ({
    operator,
    audit: app.get(AuditLog, { strict: false }),
    trail: app.get(OperatorTrail, { strict: false }),
  }),
  commands: [list, verify],
};

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
    REFUSED: ({ refusal }) =>
      refusal === null ? null : refusal.occurrences === 1 ? refusal.code : `${refusal.code} (${refusal.occurrences})`,
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
