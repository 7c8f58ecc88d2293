import type { Operator } from '../../../core/tenancy/operator.js';
import { CliMisuse, type CliCommand, type CliReport, type CommandGroup } from '../../../platform/cli/cli-command.js';
import { checkOptions, commandOn, given, required, TEXT } from '../../../platform/cli/command-options.js';
import { toFactList, toTextTable } from '../../../platform/cli/command-report.js';
import { RetentionOperations, type RetentionView } from './retention-operations.js';
import { RETENTION_CHANGE } from './retention.schema.js';

interface RetentionServices {
  readonly operator: Operator;
  readonly retention: RetentionOperations;
}

const OPTION_OF = {
  photoDays: 'photos',
  messageDays: 'messages',
  versionDays: 'versions',
  recordDays: 'records',
  unnamedDays: 'unnamed-results',
  auditDays: 'audit-days',
  idempotencyHours: 'idempotency-hours',
};

const set: CliCommand<RetentionServices> = {
  name: 'retention set',
  usage:
    '--org ID [--photos DAYS|none] [--messages DAYS|none] [--versions DAYS|none] [--records DAYS|none] [--unnamed-results DAYS|none] [--audit-days DAYS|none] [--idempotency-hours N|none]',
  summary:
    'Change how long an organization keeps photos, HL7 v2 messages, versions of FHIR resources once a newer one took their place, whole records of patients since their last change, results that name no patient, rows of the audit trail before they go into archives (365 days at the least), and answers to an Idempotency-Key. What is not named stays; none: until somebody removes it.',
  options: {
    org: TEXT,
    photos: TEXT,
    messages: TEXT,
    versions: TEXT,
    records: TEXT,
    'unnamed-results': TEXT,
    'audit-days': TEXT,
    'idempotency-hours': TEXT,
  },
  prepare(values) {
    const organizationId = required(values, 'org');
    const stated = Object.entries(given(values, OPTION_OF)).map(([name, text]) => [name, numberOf(text)]);
    if (stated.length === 0) throw new CliMisuse('Name at least one time.');
    const input = checkOptions(RETENTION_CHANGE, Object.fromEntries(stated), OPTION_OF);
    return async ({ operator, retention }) => describe(await retention.change(operator, organizationId, input));
  },
};

const show = commandOn<RetentionServices>(
  {
    name: 'retention show',
    summary: 'How long an organization keeps what, and what the newest sweeps removed.',
    by: 'org',
  },
  async ({ operator, retention }, organizationId) => describe(await retention.show(operator, organizationId)),
);

/** How long organizations keep what. */
export const RETENTION_COMMANDS: CommandGroup<RetentionServices> = {
  providers: [RetentionOperations],
  services: (app, operator) => ({ operator, retention: app.get(RetentionOperations) }),
  commands: [set, show],
};

function numberOf(text: string): number | null {
  return text === 'none' ? null : Number(text);
}

function describe(view: RetentionView): CliReport {
  const days = (value: number | null): string => (value === null ? 'until removed' : `${value} days`);
  const facts = toFactList({
    photos: days(view.photoDays),
    messages: days(view.messageDays),
    'superseded versions': days(view.versionDays),
    records: days(view.recordDays),
    'unnamed results': days(view.unnamedDays),
    'audit trail': view.auditDays === null ? 'in the database' : `${view.auditDays} days, then in archives`,
    'idempotency keys': `${view.idempotencyHours ?? 24} hours`,
  });
  const table = toTextTable(
    ['WHEN', 'ENVIRONMENT', 'WHAT', 'ROWS', 'BYTES', 'KEPT'],
    view.runs.map(({ endedAt, isOpen, environment, what, rows, bytes, kept }) => [
      isOpen ? `${endedAt}, not ended` : endedAt,
      environment,
      what,
      String(rows),
      String(bytes),
      String(kept),
    ]),
  );
  return { json: view, text: view.runs.length === 0 ? facts : `${facts}\n\n${table}` };
}
