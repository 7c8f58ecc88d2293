import type { TraceView } from './trace.views.js';
import { ADMIN_EXAMPLE_IDS } from '../../../identity/index.js';

const { organizationId: ORGANIZATION_ID } = ADMIN_EXAMPLE_IDS;

const trace: TraceView = {
  id: 'ORD-77',
  takenFor: ['hl7_order_number'],
  photos: [
    {
      imageId: '01997f2e-3333-7000-8000-000000000003',
      organizationId: ORGANIZATION_ID,
      environment: 'test',
      events: [
        {
          at: '2026-03-15T08:40:05.000Z',
          what: 'hl7.parked',
          resources: ['MessageHeader/01997f2e-5555-7000-8000-000000000005'],
          facts: { attempts: 1, acknowledged: 'AE 103', parkedFor: 'refused' },
          next: 'Message 01997f2e-5555-7000-8000-000000000005: refused by its receiver (AE 103). Read the receiver’s words with "hl7 show". Have it mended there, or by "hl7 destination set"; then "hl7 requeue".',
        },
      ],
    },
  ],
  apart: [],
  hasMore: false,
  names: { [ORGANIZATION_ID]: 'Ward 7' },
};

/** Plainly invented answers, for the OpenAPI document. */
export const TRACE_EXAMPLES = { trace } as const;
