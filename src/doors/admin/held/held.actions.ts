import { z } from 'zod';
import type { OperatorAct } from '../../../core/audit/operator-trail.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { HELD_ACTIONS, HELD_REASONS } from '../../../core/held/held-item.js';
import { readHeldCursor } from '../../../core/held/held-source.js';
import { HeldService } from '../../../core/held/held.service.js';
import { ENVIRONMENTS, type Environment } from '../../../core/tenancy/tenant.js';
import type { CliReport } from '../../../platform/cli/cli-command.js';
import { toFactList, toTextTable } from '../../../platform/cli/command-report.js';
import { plainText } from '../../../platform/http/text.schema.js';
import { adminGroup } from '../action/admin-group.js';
import { HELD_EXAMPLE, HELD_LIST_VIEW, HELD_VIEW, toHeldView, type HeldView } from './held.views.js';

const LARGEST_PAGE = 1000;
const DEFAULT_PAGE = 100;
const LONGEST_NOTE = 500;
const LONGEST_URI = 255;

const { action, group } = adminGroup({ held: HeldService });

const listHeld = action({
  name: 'listHeldItems',
  route: 'GET /organizations/:organizationId/held',
  does: 'What waits for a person, oldest first: why, what came, and what can be done; written into the audit trail',
  who: 'viewer',
  query: z.strictObject({
    environment: z.enum(ENVIRONMENTS).optional().describe('test or live; both where it is left out'),
    reason: z.enum(HELD_REASONS).optional().describe('For this reason only'),
    olderThanS: z.coerce.number().int().min(0).optional().describe('Only what has waited so many seconds'),
    limit: z.coerce.number().int().min(1).max(LARGEST_PAGE).default(DEFAULT_PAGE).describe('1 to 1000, default 100'),
    cursor: plainText(200).optional().describe('nextCursor of the page before'),
  }),
  answers: HELD_LIST_VIEW,
  shows: { items: [HELD_EXAMPLE], nextCursor: null },
  refusals: ['organization.not_found'],
  async run({ held }, { organizationId, environment, reason = null, olderThanS = null, limit, cursor }) {
    const after = cursor === undefined ? null : readHeldCursor(cursor);
    if (cursor !== undefined && after === null)
      throw new SuturaError('request.invalid', {
        errors: [{ pointer: '/query/cursor', detail: 'is not a cursor of this service' }],
      });
    const { items, nextCursor } = await held.page(
      { organizationId, environment },
      { reason, olderThanS, after, limit },
    );
    return { items: items.map(toHeldView), nextCursor };
  },
  trail: { after: ({ items }, { organizationId, environment }) => lookedAt(organizationId, environment, items) },
  command: {
    usage:
      'held list --org ID [--env test|live] [--reason REASON] [--older-than SECONDS] [--limit 1-1000] [--cursor TEXT]',
    says: `What waits for a person, oldest first. REASON: ${HELD_REASONS.join(', ')}.`,
    options: { olderThanS: 'older-than' },
    prints: describeList,
  },
});

const readHeld = action({
  name: 'readHeldItem',
  route: 'GET /organizations/:organizationId/held/:heldId',
  does: 'One thing that waits for a person; written into the audit trail',
  who: 'viewer',
  answers: HELD_VIEW,
  shows: HELD_EXAMPLE,
  refusals: ['held.not_found'],
  run: async ({ held }, { organizationId, heldId }) => toHeldView(await held.find({ organizationId }, heldId)),
  trail: { after: (item) => lookedAt(item.organizationId, item.environment, [item]) },
  command: {
    usage: 'held show --org ID --id ID',
    options: { heldId: 'id' },
    says: 'One thing that waits for a person: what came, what it waits for, what can be done.',
    prints: (item) => ({ json: item, text: describe(item) }),
  },
});

const resolveHeld = action({
  name: 'resolveHeldItem',
  route: 'POST /organizations/:organizationId/held/:heldId/resolve',
  does: 'Say what is to be done with something that waits; it is done within seconds',
  who: 'reviewer',
  body: z.strictObject({
    action: z.enum(HELD_ACTIONS),
    authority: plainText(LONGEST_URI).optional().describe('With another: whose number it is, as a URI'),
    to: plainText(LONGEST_URI).optional().describe('With link: what it belongs to, as Type/id'),
    note: plainText(LONGEST_NOTE).optional().describe('Why, for the history'),
  }),
  example: { action: 'another', authority: 'urn:oid:2.999.2', note: 'A patient of the southern house.' },
  answers: HELD_VIEW,
  shows: HELD_EXAMPLE,
  refusals: ['held.not_found', 'held.action'],
  run: async ({ held, operator }, { organizationId, heldId, ...resolution }) =>
    toHeldView(await held.resolve({ organizationId }, heldId, resolution, { name: operator.name })),
  trail: {
    before: async ({ held }, { organizationId, heldId, action: chosen }) => {
      const { environment, came } = await held.find({ organizationId }, heldId);
      return {
        interaction: '$resolve-held',
        action: 'U',
        of: { organizationId, environment },
        patients: came.patientIds,
        resources: [`Basic/${heldId}`],
        query: `action=${chosen}`,
      };
    },
  },
  command: {
    usage: 'held resolve --org ID --id ID --action ACTION [--authority URI] [--to TYPE/ID] [--note TEXT]',
    options: { heldId: 'id' },
    says: 'Say what is to be done with something that waits. ACTION: one that "held show" names.',
    prints: (item) => ({
      json: item,
      text: `${item.id} is settled. What follows from that is done within seconds, and can still be refused: see hl7 messages --state failed, or the list again.`,
    }),
  },
});

/** What waits for a person, and what they decide. */
export const HELD_GROUP = group('HeldAdminController', [listHeld, readHeld, resolveHeld]);

function lookedAt(
  organizationId: string,
  environment: Environment | undefined,
  items: readonly HeldView[],
): OperatorAct {
  return {
    interaction: items.length === 1 ? 'read' : 'search-type',
    action: 'R',
    of: { organizationId, ...(environment === undefined ? {} : { environment }) },
    patients: [...new Set(items.flatMap(({ came }) => came.patientIds))],
    resources: items.map(({ id }) => `Basic/${id}`),
  };
}

function describeList(page: z.output<typeof HELD_LIST_VIEW>): CliReport {
  const { items, nextCursor } = page;
  const table = toTextTable(
    ['ID', 'ENV', 'REASON', 'SINCE', 'DOOR', 'ACTIONS'],
    items.map(({ id, environment, reason, since, door, actions }) => [
      id,
      environment,
      reason,
      since,
      door ?? '',
      actions.join(', '),
    ]),
  );
  const more = nextCursor === null ? [] : [`There are more: --cursor ${nextCursor}`];
  return { json: page, text: items.length === 0 ? 'Nothing waits for a person.' : [table, ...more].join('\n\n') };
}

function describe({ id, organizationId, environment, reason, since, door, came, waitsFor, actions }: HeldView): string {
  const things = Object.entries(came).flatMap(([sort, ids]): [string, string][] =>
    ids.length === 0 ? [] : [[sort, ids.join(' ')]],
  );
  return toFactList({
    id,
    organization: `${organizationId} ${environment}`,
    reason,
    since,
    ...(door === null ? {} : { door }),
    ...Object.fromEntries(things),
    'waits for': waitsFor,
    actions: actions.length === 0 ? 'none: it goes on by itself' : actions.join(', '),
  });
}
