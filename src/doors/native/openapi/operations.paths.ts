import type { OpenAPIObject } from '@nestjs/swagger';

const json = (value: unknown) => ({
  'application/json': { schema: { type: 'object' as const }, examples: { answer: { value } } },
});
const internalError = {
  description: '`service.internal`',
  content: {
    'application/problem+json': {
      schema: { $ref: '#/components/schemas/Problem' },
      examples: {
        'service.internal': {
          value: {
            type: 'urn:sutura:error:service.internal',
            title: 'Internal error',
            status: 500,
            detail: 'Try again; tell support the requestId if it repeats.',
            instance: '/health/ready',
            code: 'service.internal',
            requestId: '01997f2e-0000-7000-8000-00000000beef',
          },
        },
      },
    },
  },
};

/** The routes for operators, which need no key and stand outside the versioned contract. */
export const OPERATIONS_PATHS: OpenAPIObject['paths'] = {
  '/health/live': {
    get: {
      operationId: 'live',
      tags: ['operations'],
      summary: 'Whether the process runs',
      security: [],
      responses: { 200: { description: 'It runs', content: json({ status: 'ok' }) }, 500: internalError },
    },
  },
  '/health/ready': {
    get: {
      operationId: 'ready',
      tags: ['operations'],
      summary: 'Whether the process can be sent work',
      security: [],
      responses: {
        200: {
          description: 'Everything that it needs can be used',
          content: json({ status: 'ok', checks: { database: 'ok', storage: 'ok' } }),
        },
        503: {
          description: 'Names what cannot be used',
          content: json({ status: 'unavailable', checks: { database: 'failed', storage: 'ok' } }),
        },
        500: internalError,
      },
    },
  },
  '/metrics': {
    get: {
      operationId: 'metrics',
      tags: ['operations'],
      summary: 'Figures for Prometheus',
      security: [],
      responses: {
        200: {
          description: 'Prometheus text format',
          content: {
            'text/plain': {
              schema: { type: 'string' },
              examples: { answer: { value: 'sutura_jobs{status="queued"} 0\n' } },
            },
          },
        },
        500: internalError,
      },
    },
  },
};
