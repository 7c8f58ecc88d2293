import { z } from 'zod';
import type { OperatorAct } from '../../../core/audit/operator-trail.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { ClinicalClock } from '../../../core/ports/clinical-clock.js';
import { CONCERNS, type Concern } from '../../../core/report/concern.js';
import { readPlace, type ListPage } from '../../../core/report/worklist.repository.js';
import { Worklist } from '../../../core/report/worklist.js';
import { ENVIRONMENTS, type Environment } from '../../../core/tenancy/tenant.js';
import type { CliReport } from '../../../platform/cli/cli-command.js';
import { toTextTable } from '../../../platform/cli/command-report.js';
import { plainText } from '../../../platform/http/text.schema.js';
import { adminGroup } from '../action/admin-group.js';
import {
  FOR_REVIEW_EXAMPLE,
  FOR_REVIEW_LIST_VIEW,
  IN_CARE_EXAMPLE,
  IN_CARE_LIST_VIEW,
  toCursor,
  toForReviewView,
  toInCareView,
  type ForReviewView,
  type InCareView,
} from './reviewing.views.js';

const LARGEST_PAGE = 100;
const DEFAULT_PAGE = 25;
const QUERY = z.strictObject({
  environment: z.enum(ENVIRONMENTS).describe('test or live'),
  concern: z.enum(CONCERNS).optional().describe('Only these'),
  limit: z.coerce.number().int().min(1).max(LARGEST_PAGE).default(DEFAULT_PAGE).describe('1 to 100, default 25'),
  cursor: plainText(200).optional().describe('nextCursor of the page before'),
});
const OPTIONS = '--org ID --env test|live [--concern CONCERN] [--limit 1-100] [--cursor TEXT]';

const { action, group } = adminGroup({ worklist: Worklist, clock: ClinicalClock });

const listWorklist = action({
  name: 'listWorklist',
  route: 'GET /organizations/:organizationId/worklist',
  does: 'Reports that wait for a person’s decision, the gravest first, then what waits longest; written into the audit trail',
  who: 'reviewer',
  query: QUERY,
  answers: FOR_REVIEW_LIST_VIEW,
  shows: { items: [FOR_REVIEW_EXAMPLE], nextCursor: null },
  refusals: ['organization.not_found'],
  async run({ worklist }, { organizationId, environment, ...asked }) {
    const { items, next } = await worklist.reportsForReview({ organizationId, environment }, pageOf(asked));
    return { items: items.map(toForReviewView), nextCursor: toCursor(next) };
  },
  trail: { after: ({ items }, { organizationId, environment }) => lookedAt(organizationId, environment, items) },
  command: {
    usage: `review worklist ${OPTIONS}`,
    says: `Reports that wait for a person’s decision, the gravest first. CONCERN: ${CONCERNS.join(', ')}.`,
    prints: (page, { concern }) =>
      listed(
        page,
        ['REPORT', 'PATIENT', 'WOUND', 'CONCERN', 'VERDICT', 'SINCE'],
        ({ reportId, patient, wound, concern, verdict, since }) => [
          reportId,
          patient.number ?? '',
          woundText(wound),
          concern,
          verdict ?? '',
          since,
        ],
        concern === undefined
          ? 'No report waits for a decision.'
          : 'No report of this concern waits for a decision; others were not asked for.',
      ),
  },
});

const listCaseload = action({
  name: 'listCaseload',
  route: 'GET /organizations/:organizationId/caseload',
  does: 'Open wounds by their last photo, the gravest first, then those longest not photographed; written into the audit trail',
  who: 'reviewer',
  query: QUERY,
  answers: IN_CARE_LIST_VIEW,
  shows: { items: [IN_CARE_EXAMPLE], nextCursor: null },
  refusals: ['organization.not_found'],
  async run({ worklist, clock }, { organizationId, environment, ...asked }) {
    const { items, next } = await worklist.woundsInCare({ organizationId, environment }, pageOf(asked));
    const now = await clock.nowOf({ organizationId, environment });
    return { items: items.map((item) => toInCareView(item, now)), nextCursor: toCursor(next) };
  },
  trail: { after: ({ items }, { organizationId, environment }) => lookedAt(organizationId, environment, items) },
  command: {
    usage: `review caseload ${OPTIONS}`,
    says: `Open wounds by their last photo, the gravest first. CONCERN: ${CONCERNS.join(', ')}.`,
    prints: (page, { concern }) =>
      listed(
        page,
        ['WOUND', 'PATIENT', 'CONCERN', 'VERDICT', 'CM2', 'DAYS', 'WAITING'],
        ({ wound, patient, concern, verdict, areaCm2, daysSincePhoto, waiting }) => [
          woundText(wound),
          patient.number ?? '',
          concern,
          verdict ?? '',
          areaCm2 === null ? '' : String(areaCm2),
          String(daysSincePhoto),
          String(waiting),
        ],
        concern === undefined
          ? 'No open wound has a report.'
          : 'No open wound with a report is of this concern; others were not asked for.',
      ),
  },
});

/** What a reviewer goes through. */
export const REVIEWING_ACTIONS = group('ReviewingAdminController', [listWorklist, listCaseload]);

interface AskedPage {
  readonly concern?: Concern | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

function pageOf({ concern, limit, cursor }: AskedPage): ListPage {
  const after = cursor === undefined ? null : readPlace(cursor);
  if (cursor !== undefined && after === null)
    throw new SuturaError('request.invalid', {
      errors: [{ pointer: '/query/cursor', detail: 'is not a cursor of this service' }],
    });
  return { concern: concern ?? null, after, limit };
}

function lookedAt(
  organizationId: string,
  environment: Environment,
  items: readonly Pick<ForReviewView, 'patientId' | 'reportId'>[],
): OperatorAct {
  return {
    interaction: 'search-type',
    action: 'R',
    of: { organizationId, environment },
    patients: [...new Set(items.flatMap(({ patientId }) => (patientId === null ? [] : [patientId])))],
    resources: items.map(({ reportId }) => `DiagnosticReport/${reportId}`),
  };
}

function woundText({ id, woundId, bodySite, laterality }: InCareView['wound']): string {
  return [woundId ?? id, laterality, bodySite].filter((part) => part !== null).join(' ');
}

function listed<Item>(
  page: { readonly items: readonly Item[]; readonly nextCursor: string | null },
  headings: readonly string[],
  cells: (item: Item) => readonly string[],
  nothing: string,
): CliReport {
  const { items, nextCursor } = page;
  const more = nextCursor === null ? [] : [`There are more: --cursor ${nextCursor}`];
  return {
    json: page,
    text: items.length === 0 ? nothing : [toTextTable(headings, items.map(cells)), ...more].join('\n\n'),
  };
}
