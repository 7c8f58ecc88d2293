import type { DescribedRoute } from '../route/api-route.decorator.js';
import { clockRequestSchema, sandboxClockSchema } from './sandbox-clock.schema.js';

export const CLOCK_PATH = '/api/v1/sandbox/clock';

const example = { now: '2026-04-12T08:40:05.120Z', aheadSeconds: 2_419_200, latest: '2036-03-12T08:40:05.120Z' };

/** The routes of the sandbox's clock for the OpenAPI document. */
export const READ_CLOCK: DescribedRoute = {
  operationId: 'readSandboxClock',
  tag: 'sandbox',
  summary: 'The clock of the test environment',
  path: CLOCK_PATH,
  answers: [{ status: 200, description: 'As it stands', schema: sandboxClockSchema, examples: { ahead: example } }],
  errors: ['sandbox.clock_live'],
};

export const MOVE_CLOCK: DescribedRoute = {
  operationId: 'moveSandboxClock',
  tag: 'sandbox',
  summary: 'Move the clock of the test environment ahead',
  description:
    'For the whole organization, forward only; nothing but a new organization sets it back. When a photo was taken that does not say so, when reports are issued, decisions made and photos overdue, retention, the timestamp of events and the end of links to the review desk follow it. Signatures, webhook-timestamp, keys, tokens, sessions, upload addresses, quotas, recordedAt of the event log and the audit trail never do. Once it is answered, every process goes by it.',
  path: CLOCK_PATH,
  requestHeaders: [
    {
      name: 'Idempotency-Key',
      description:
        'Quoted or bare, up to 255 printable ASCII characters, kept 24 hours. A repeat with the same body gets the first answer, and moves nothing.',
      example: '"6f1d2c8a"',
    },
  ],
  body: { schema: clockRequestSchema, example: { advance: 'P28D' }, required: true },
  answers: [
    {
      status: 200,
      description: 'As it stands now',
      schema: sandboxClockSchema,
      examples: { moved: example },
      headers: ['Idempotency-Replayed'],
    },
  ],
  errors: [
    'request.invalid',
    'sandbox.clock_live',
    'sandbox.clock_back',
    'sandbox.clock_limit',
    'idempotency.mismatch',
    'idempotency.in_flight',
  ],
};
