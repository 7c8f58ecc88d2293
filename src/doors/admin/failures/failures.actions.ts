import { z } from 'zod';
import type { OperatorAct } from '../../../core/audit/operator-trail.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { FAILURE_KINDS, type FailureKind, type FailureRange } from '../../../core/failures/failure-group.js';
import { FailureService, MOST_AT_ONCE } from '../../../core/failures/failure.service.js';
import { NameDirectory } from '../../../core/organizations/name-directory.js';
import { Clock } from '../../../core/ports/clock.js';
import { ENVIRONMENTS, type Tenant } from '../../../core/tenancy/tenant.js';
import { ADMIN_EXAMPLE_IDS, IN_BODY, IN_QUERY } from '../../../identity/index.js';
import { plainText } from '../../../platform/http/text.schema.js';
import { adminGroup } from '../action/admin-group.js';
import { FAILURES_VIEW, RETRIED_VIEW, toFailureGroupView, type FailureGroupView } from './failures.views.js';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 7;
const MOST_DAYS = 31;
const LONGEST_CAUSE = 500;
const instant = z.iso.datetime({ offset: true });
const EXAMPLE: FailureGroupView = {
  kind: 'message',
  organizationId: ADMIN_EXAMPLE_IDS.organizationId,
  organizationName: 'Ward 7',
  environment: 'live',
  subjectId: '01997f2e-3333-7000-8000-000000000003',
  subjectName: 'ward EHR',
  cause: 'order.unknown',
  words: 'Order not known',
  nextStep: 'Send the order first, or correct its number.',
  oneByOne: false,
  count: 12,
  firstAt: '2026-03-15T07:13:00.000Z',
  lastAt: '2026-03-15T08:40:00.000Z',
  examples: ['01997f2e-5555-7000-8000-000000000005'],
};

const { action, group } = adminGroup({ failures: FailureService, names: NameDirectory, clock: Clock });

const list = action({
  name: 'listFailures',
  route: 'GET /failures',
  does: `What failed and is not put right, counted by cause: messages that were refused, analyses that failed, what is parked for receivers; of at most ${MOST_DAYS} days`,
  who: { role: 'integrator', of: IN_QUERY },
  query: z.strictObject({
    organizationId: z.uuid().optional().describe('Of this organization only'),
    environment: z.enum(ENVIRONMENTS).optional().describe('test or live'),
    from: instant.optional().describe(`From this moment on (RFC 3339); default: ${DEFAULT_DAYS} days before the end`),
    to: instant.optional().describe('Before this moment (RFC 3339); default: now'),
  }),
  answers: FAILURES_VIEW,
  shows: { from: '2026-03-08T08:45:00.000Z', to: '2026-03-15T08:45:00.000Z', items: [EXAMPLE] },
  async run({ failures, names, clock }, { from, to, ...filter }) {
    const range = rangeOf(from, to, clock.now());
    const found = await failures.groups({ ...filter, ...range });
    const known = await names.namesOf(
      found.flatMap(({ organizationId, subjectId }) => [organizationId, ...(subjectId === null ? [] : [subjectId])]),
    );
    return {
      from: range.from.toISOString(),
      to: range.to.toISOString(),
      items: found.map((one) => toFailureGroupView(one, known)),
    };
  },
  trail: 'none',
});

const retry = action({
  name: 'retryFailures',
  route: 'POST /failures/retry',
  does: `All of one cause once more, ${MOST_AT_ONCE} at once, oldest first: a message is read by today’s settings and undoes nothing later, an analysis is made and what is still parked sent again; go on with after`,
  who: { role: 'integrator', of: IN_BODY },
  body: z.strictObject({
    organizationId: z.uuid(),
    environment: z.enum(ENVIRONMENTS),
    kind: z.enum(FAILURE_KINDS),
    subjectId: z.uuid().nullable(),
    cause: plainText(LONGEST_CAUSE),
    from: instant,
    to: instant,
    after: z.uuid().optional(),
  }),
  example: {
    organizationId: EXAMPLE.organizationId,
    environment: EXAMPLE.environment,
    kind: EXAMPLE.kind,
    subjectId: EXAMPLE.subjectId,
    cause: EXAMPLE.cause,
    from: '2026-03-08T08:45:00Z',
    to: '2026-03-15T08:45:00Z',
  },
  answers: RETRIED_VIEW,
  shows: { retried: 11, skipped: [{ id: EXAMPLE.examples[0], code: 'hl7.erased' }], after: null },
  async run({ failures, clock, operator, trail }, { organizationId, environment, after: behind, ...asked }) {
    const tenant = { organizationId, environment };
    const { kind, subjectId, cause } = asked;
    const range = rangeOf(asked.from, asked.to, clock.now());
    const chosen = await failures.choose({ tenant, kind, subjectId, cause, ...range, after: behind ?? null });
    const ids = chosen.failures.map(({ id }) => id);
    if (ids.length > 0) await trail.record(operator, actOf(tenant, kind, cause, ids));
    return failures.retry({ tenant, kind, cause }, chosen, operator.name);
  },
  trail: 'by itself',
});

/** What failed, for whoever mends it. Codes, counts and names of connections alone: only doing it again is a row of the trail. */
export const FAILURE_ACTIONS = group('FailuresController', [list, retry]);

const RESOURCE: Readonly<Record<FailureKind, 'MessageHeader' | 'Task'>> = {
  message: 'MessageHeader',
  job: 'Task',
  hl7: 'MessageHeader',
  webhook: 'MessageHeader',
  subscription: 'MessageHeader',
  ehr: 'MessageHeader',
};

/** Before any of them is done: what cannot be recorded is not done. */
function actOf(of: Tenant, kind: FailureKind, cause: string, ids: readonly string[]): OperatorAct {
  return {
    interaction: '$retry-failures',
    action: 'E',
    of,
    resources: ids.map((id) => `${RESOURCE[kind]}/${id}`),
    // Behind it stands what a receiver wrote.
    query: new URLSearchParams({ kind, cause: cause.split(' ', 1)[0] ?? '' }).toString(),
  };
}

/** `request.invalid` for a range that ends before it begins, or is longer than what is looked through at once. */
function rangeOf(from: string | undefined, to: string | undefined, now: Date): FailureRange {
  const end = to === undefined ? now : new Date(to);
  const begin = from === undefined ? new Date(end.getTime() - DEFAULT_DAYS * DAY_MS) : new Date(from);
  const days = (end.getTime() - begin.getTime()) / DAY_MS;
  if (days < 0 || days > MOST_DAYS)
    throw new SuturaError('request.invalid', {
      detail: `The range begins at from and ends at to, and has at most ${MOST_DAYS} days.`,
    });
  return { from: begin, to: end };
}
