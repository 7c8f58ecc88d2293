import { z } from 'zod';
import { RetentionPolicies } from '../../../core/erasure/retention-policy.js';
import { TenancyService } from '../../../core/organizations/tenancy.service.js';
import { CliMisuse, type CliReport } from '../../../platform/cli/cli-command.js';
import { definedOnly } from '../../../platform/cli/command-options.js';
import { toFactList, toTextTable } from '../../../platform/cli/command-report.js';
import { onOrganization } from '../action/acts.js';
import { adminGroup } from '../action/admin-group.js';
import { ERASURE_EXAMPLES } from './erasure.examples.js';
import { RETENTION_VIEW, toRetentionView, type RetentionView } from './erasure.views.js';

const MOST_RUNS = 100;
const MOST_DAYS = 36_500;
/** Until then rows are searched where they are: an auditor's year. */
const LEAST_AUDIT_DAYS = 365;
const MOST_HOURS = 720;
const days = z.int().min(1).max(MOST_DAYS).nullable().optional();
const OPTIONS = {
  photoDays: 'photos',
  messageDays: 'messages',
  versionDays: 'versions',
  recordDays: 'records',
  unnamedDays: 'unnamed-results',
  auditDays: 'audit-days',
  idempotencyHours: 'idempotency-hours',
};

const { action, group } = adminGroup({ policies: RetentionPolicies, tenancy: TenancyService });

const change = action({
  name: 'changeRetention',
  route: 'PATCH /organizations/:organizationId/retention',
  does: 'Change how long the organization keeps what; null keeps it until somebody removes it',
  who: 'admin',
  body: z.strictObject({
    photoDays: days,
    messageDays: days,
    versionDays: days,
    recordDays: days,
    unnamedDays: days,
    auditDays: z.int().min(LEAST_AUDIT_DAYS).max(MOST_DAYS).nullable().optional(),
    idempotencyHours: z.int().min(1).max(MOST_HOURS).nullable().optional(),
  }),
  example: { photoDays: 365, messageDays: 90 },
  answers: RETENTION_VIEW,
  shows: ERASURE_EXAMPLES.retention,
  refusals: ['organization.not_found'],
  async run({ policies, operator, trail }, { organizationId, ...input }) {
    await policies.change(organizationId, definedOnly(input));
    await trail.record(operator, onOrganization(organizationId, '$retention', 'R'));
    return toRetentionView(await policies.find(organizationId), await policies.runs(organizationId, MOST_RUNS));
  },
  trail: {
    async before({ tenancy }, { organizationId, ...input }) {
      await tenancy.findOrganization(organizationId);
      const changes = Object.entries(definedOnly<unknown>(input)).map(([name, value]) => `${name}=${value}`);
      return onOrganization(organizationId, '$retention', 'U', changes.join('&'));
    },
  },
  command: {
    usage:
      'retention set --org ID [--photos DAYS|none] [--messages DAYS|none] [--versions DAYS|none] [--records DAYS|none] [--unnamed-results DAYS|none] [--audit-days DAYS|none] [--idempotency-hours N|none]',
    says: 'Change how long an organization keeps photos, HL7 v2 messages, versions of FHIR resources once a newer one took their place, whole records of patients since their last change, results that name no patient, rows of the audit trail before they go into archives (365 days at the least), and answers to an Idempotency-Key. What is not named stays; none: until somebody removes it.',
    options: OPTIONS,
    check(values) {
      if (Object.values(OPTIONS).every((option) => values[option] === undefined))
        throw new CliMisuse('Name at least one time.');
    },
    prints: describe,
  },
});

const show = action({
  name: 'showRetention',
  route: 'GET /organizations/:organizationId/retention',
  does: 'How long the organization keeps what, and what the newest 100 sweeps removed',
  who: 'viewer',
  answers: RETENTION_VIEW,
  shows: ERASURE_EXAMPLES.retention,
  refusals: ['organization.not_found'],
  async run({ policies }, { organizationId }) {
    const runs = await policies.runs(organizationId, MOST_RUNS);
    return toRetentionView(await policies.find(organizationId), runs);
  },
  trail: {
    async before({ tenancy }, { organizationId }) {
      await tenancy.findOrganization(organizationId);
      return onOrganization(organizationId, '$retention', 'R');
    },
  },
  command: {
    usage: 'retention show --org ID',
    says: 'How long an organization keeps what, and what the newest sweeps removed.',
    prints: describe,
  },
});

/** How long organizations keep what. */
export const RETENTION_ACTIONS = group('RetentionController', [change, show]);

function describe(view: RetentionView): CliReport {
  const inDays = (value: number | null): string => (value === null ? 'until removed' : `${value} days`);
  const facts = toFactList({
    photos: inDays(view.photoDays),
    messages: inDays(view.messageDays),
    'superseded versions': inDays(view.versionDays),
    records: inDays(view.recordDays),
    'unnamed results': inDays(view.unnamedDays),
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
