import type { DescribedRoute } from '../route/api-route.decorator.js';
import { eventListSchema, eventQuerySchema } from './events.schema.js';

const example = {
  items: [
    {
      id: '5d1e6a0e-3a53-8b1c-9c57-7d3f0b0a2c11',
      type: 'analysis.completed',
      timestamp: '2026-03-15T08:40:05.120Z',
      recordedAt: '2026-03-15T08:40:05.180Z',
      data: {
        jobId: '01997f2e-2222-7000-8000-000000000002',
        imageId: '01997f2e-1111-7000-8000-000000000001',
        reportId: '01997f2e-3333-7000-8000-000000000003',
        woundDetected: true,
      },
    },
  ],
  nextCursor: null,
  resumeCursor: 'ZTEuNDE',
  keptSince: '2026-02-13T08:41:00.000Z',
};

/** The route of the event log for the OpenAPI document. */
export const LIST_EVENTS: DescribedRoute = {
  operationId: 'listEvents',
  tag: 'events',
  summary: 'What happened, to catch up from',
  description:
    'Every event of the organization in this environment of the last 30 days, with the id and the body that webhooks have, whether or not there is a webhook. Once nextCursor is null, ask again later with resumeCursor as cursor; with `Prefer: wait=N` the answer is held until something happens, N seconds at most 30. To begin with what is yet to happen, ask once for a since that is far ahead. Without a cursor that was kept: since counts in, so that the event of that moment comes again.',
  path: '/api/v1/events',
  query: eventQuerySchema,
  requestHeaders: [
    {
      name: 'Prefer',
      description: 'wait=N: hold an empty answer back until there is an event, N seconds at most 30.',
      example: 'wait=30',
    },
  ],
  answers: [
    {
      status: 200,
      description: 'Oldest first',
      schema: eventListSchema,
      examples: { events: example },
      headers: ['Preference-Applied'],
    },
  ],
  errors: ['request.invalid'],
};
