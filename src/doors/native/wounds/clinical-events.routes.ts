import type { DescribedParameter, DescribedRoute } from '../route/api-route.decorator.js';
import { WOUND_ID } from '../route/examples.js';
import { woundPath } from '../route/paths.js';
import { clinicalEventListSchema, clinicalEventRequestSchema, clinicalEventSchema } from './clinical-event.schema.js';
import { eventWithdrawalSchema } from './clinical-event.schema.js';

const EVENT_ID = '01997f31-1d22-7c10-8b4f-5e9a2c7d6f01';
const PATH = `${woundPath(WOUND_ID)}/events`;
const ID: DescribedParameter = { name: 'id', description: 'The wound, by this service’s id', example: WOUND_ID };
const by = { id: 'HCP-0042', name: 'Example Reviewer' };
const stated = { type: 'debridement', occurredAt: '2026-03-03T10:15:00Z', note: 'Sharp, to bleeding tissue.', by };
const example = {
  id: EVENT_ID,
  wound: WOUND_ID,
  ...stated,
  occurredAt: '2026-03-03T10:15:00.000Z',
  recordedAt: '2026-03-03T10:31:12.004Z',
  enteredBy: null,
  withdrawn: null,
};
const withdrawn = {
  ...example,
  withdrawn: { withdrawnAt: '2026-03-03T11:02:40.310Z', note: 'The other heel.', by, enteredBy: null },
};

/** The routes of clinical events for the OpenAPI document. */
export const LIST_EVENTS: DescribedRoute = {
  operationId: 'listClinicalEvents',
  tag: 'follow-up',
  summary: 'List the clinical events of a wound',
  path: PATH,
  pathParameters: [ID],
  answers: [
    {
      status: 200,
      description: 'All of them, with those of wounds that were merged into it',
      schema: clinicalEventListSchema,
      examples: { events: { items: [example, { ...withdrawn, id: WOUND_ID }], nextCursor: null } },
    },
  ],
  errors: ['wound.not_found'],
};

export const RECORD_EVENT: DescribedRoute = {
  operationId: 'recordClinicalEvent',
  tag: 'follow-up',
  summary: 'Record a clinical event of a wound',
  description:
    'After a debridement, a graft or an operation the next photo within a week is a new baseline: the growth by it is no deterioration. One that comes late gives the reports that it changes further versions.',
  path: PATH,
  pathParameters: [ID],
  requestHeaders: [
    {
      name: 'Idempotency-Key',
      description:
        'Quoted or bare, up to 255 printable ASCII characters, kept 24 hours. Repeats with the same body get the first answer.',
      example: '"6f1d2c8a"',
    },
  ],
  body: { schema: clinicalEventRequestSchema, example: stated, required: true },
  answers: [
    {
      status: 201,
      description: 'The event',
      schema: clinicalEventSchema,
      examples: { event: example },
      headers: ['Idempotency-Replayed'],
    },
  ],
  errors: [
    'request.invalid',
    'wound.not_found',
    'capture.future',
    'wound.events_full',
    'idempotency.mismatch',
    'idempotency.in_flight',
  ],
};

export const WITHDRAW_EVENT: DescribedRoute = {
  operationId: 'withdrawClinicalEvent',
  tag: 'follow-up',
  summary: 'Withdraw a clinical event',
  description:
    'As if it had never been; it stays in the list, with who took it back and why. A repeat changes nothing.',
  path: `${PATH}/${EVENT_ID}`,
  pathParameters: [ID, { name: 'eventId', description: 'The event', example: EVENT_ID }],
  body: { schema: eventWithdrawalSchema, example: { note: 'The other heel.', by }, required: false },
  answers: [{ status: 200, description: 'The event', schema: clinicalEventSchema, examples: { withdrawn } }],
  errors: ['request.invalid', 'wound.not_found', 'wound.event_not_found'],
};
