import { applyDecorators } from '@nestjs/common';
import { z } from 'zod';
import type { ErrorCode } from '../../core/errors/catalogue.js';
import {
  ApiBody,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiResponse,
  ApiTags,
} from '../../platform/http/openapi.decorators.js';
import { DescribesRefusals } from '../../platform/http/refusals.decorator.js';
import type { ClientView } from './clients.views.js';
import type { ErasureView, HoldView } from './erasure.views.js';
import type { RetentionView } from './retention-operations.js';
import type { IssuedKeyView, KeyView, OrganizationView, UsageView } from './tenancy.views.js';
import type { ExitEndpoint } from '../../core/deliveries/delivery-exit.js';
import type { DeliveryView } from './delivery-operations.js';
import type { TraceView } from './trace.views.js';

const ORGANIZATION_ID = '01997f2e-1111-7000-8000-000000000001';
const KEY_ID = '01997f2e-2222-7000-8000-000000000002';

const organization: OrganizationView = {
  id: ORGANIZATION_ID,
  organizationId: ORGANIZATION_ID,
  name: 'Clinic North',
  plan: 'pro',
  dailyLimit: 2000,
  dailyLimitOverride: null,
  resultPolicy: 'review',
  autoAnalyze: false,
  unservedTypes: 'refuse',
  imageHosts: ['images.example.org'],
  reviewFrameOrigins: ['https://ehr.example.org'],
  timeZone: 'Europe/Berlin',
  createdAt: '2026-01-05T08:30:00.000Z',
  etag: '"Yk0sQ7e2v0iJr0vE1m5t0yVw2Kc"',
};

const key: KeyView = {
  id: KEY_ID,
  keyId: KEY_ID,
  organizationId: ORGANIZATION_ID,
  environment: 'test',
  prefix: 'sut_test_4fG',
  lastFour: 'x9Qa',
  scopes: ['images:write', 'analysis:write', 'analysis:read'],
  state: 'active',
  createdAt: '2026-01-05T08:31:00.000Z',
  expiresAt: null,
  revokedAt: null,
  replacedBy: null,
  lastUsedAt: null,
  allowedNetworks: [],
  namesPersons: false,
};

// Not a well-formed key, so that secret scanners stay quiet and nobody tries it.
const issuedKey: IssuedKeyView = { ...key, key: 'sut_test_…' };
const usage: UsageView = { organizationId: ORGANIZATION_ID, limit: 2000, used: 17, remaining: 1983, resetsInS: 33_000 };

const CLIENT_ID = '01997f2e-4444-7000-8000-000000000004';

const client: ClientView = {
  id: CLIENT_ID,
  clientId: CLIENT_ID,
  organizationId: ORGANIZATION_ID,
  environment: 'test',
  name: 'EHR',
  scopes: ['system/DiagnosticReport.rs'],
  keyIds: [],
  jwksUrl: 'https://ehr.example.org/jwks.json',
  allowedNetworks: [],
  namesPersons: false,
  state: 'active',
  createdAt: '2026-01-05T08:32:00.000Z',
  revokedAt: null,
};

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
};

const endpoint: ExitEndpoint = {
  id: '01997f2e-6666-7000-8000-000000000006',
  organizationId: ORGANIZATION_ID,
  environment: 'test',
  exit: 'webhook',
  address: 'https://ward.example.org/sutura',
  state: 'active',
};

const delivery: DeliveryView = {
  id: '01997f2e-7777-7000-8000-000000000007',
  exit: 'webhook',
  endpointId: endpoint.id,
  organizationId: ORGANIZATION_ID,
  environment: 'test',
  type: 'report.ready',
  state: 'waiting',
  attempts: 1,
  fault: '500',
  createdAt: '2026-03-15T08:40:05.000Z',
  nextAt: '2026-03-15T08:40:11.000Z',
  deliveredAt: null,
};

const PATIENT_ID = '01997f2e-6666-7000-8000-000000000006';

const erasure: ErasureView = {
  erasureId: '01997f2e-7777-7000-8000-000000000007',
  organizationId: ORGANIZATION_ID,
  environment: 'live',
  patientId: PATIENT_ID,
  state: 'done',
  counts: [{ what: 'photos', rows: 3, bytes: 4_713_377 }],
  leftMessages: [],
  askedBy: 'operator',
  askedAt: '2026-03-15T08:40:05.000Z',
  completedAt: '2026-03-15T08:40:06.000Z',
  waitsFor: null,
  seal: {
    auditId: '4711',
    number: 12,
    hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
};

const hold: HoldView = {
  organizationId: ORGANIZATION_ID,
  environment: 'live',
  patientId: PATIENT_ID,
  reason: 'Court file 12-345',
  placedBy: 'operator',
  placedAt: '2026-03-15T08:40:05.000Z',
};

const retention: RetentionView = {
  organizationId: ORGANIZATION_ID,
  photoDays: 365,
  messageDays: 90,
  recordDays: null,
  unnamedDays: 365,
  auditDays: 2190,
  idempotencyHours: null,
  runs: [
    {
      id: '01997f2e-8888-7000-8000-000000000008',
      organizationId: ORGANIZATION_ID,
      environment: 'live',
      what: 'photos',
      before: '2025-03-15T08:40:05.000Z',
      rows: 3,
      bytes: 4_713_377,
      kept: 0,
      beganAt: '2026-03-15T08:40:05.000Z',
      endedAt: '2026-03-15T08:40:06.000Z',
      isOpen: false,
    },
  ],
};

export const EXAMPLES = {
  endpoint,
  delivery,
  organizationId: ORGANIZATION_ID,
  organization,
  key,
  issuedKey,
  client,
  usage,
  trace,
  erasure,
  hold,
  retention,
} as const;

interface AdminOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly body?: z.ZodType;
  /** Ids in the path, by name, with an example. Default: the ids that the refusals name. */
  readonly inPath?: Readonly<Record<string, string>>;
  /** Query parameters, by name, with their meaning. */
  readonly query?: Readonly<Record<string, string>>;
  readonly example?: unknown;
  readonly status: number;
  /** An example; null for no body. */
  readonly answer: unknown;
  readonly refusals?: readonly ErrorCode[];
}

/** One admin operation in the OpenAPI document. */
export function DescribesAdmin(operation: AdminOperation): MethodDecorator {
  const { operationId, summary, body, query = {}, example, status, answer, refusals = [] } = operation;
  const inPath = operation.inPath ?? idsOf(refusals);
  const invalid: ErrorCode[] =
    body === undefined
      ? Object.keys(query).length === 0
        ? []
        : ['request.invalid']
      : ['request.invalid', 'request.content_type', 'request.too_large'];
  return applyDecorators(
    ApiTags('admin'),
    ApiOperation({
      operationId,
      summary,
      description: 'For operators. Answers 404 where there are neither users nor SUTURA_ADMIN_TOKEN.',
    }),
    ...Object.entries(inPath).map(([name, example]) =>
      ApiParam({ name, schema: { type: 'string', format: 'uuid' }, example }),
    ),
    ...Object.entries(query).map(([name, description]) =>
      ApiQuery({ name, required: false, description, schema: { type: 'string' } }),
    ),
    ...(body === undefined
      ? []
      : [ApiBody({ schema: toOpenApi(body, 'input'), examples: { typical: { value: example } } })]),
    ApiResponse({
      status,
      description: 'Done.',
      ...(answer === null
        ? {}
        : { content: { 'application/json': { schema: shapeOf(answer), examples: { typical: { value: answer } } } } }),
    }),
    DescribesRefusals(
      '/admin/v1',
      'auth.missing',
      'auth.invalid',
      'auth.session',
      'auth.csrf',
      'auth.role',
      'rate.limited',
      'route.not_found',
      'service.unavailable',
      ...invalid,
      ...refusals,
    ),
  );
}

function idsOf(refusals: readonly ErrorCode[]): Readonly<Record<string, string>> {
  return {
    ...(refusals.includes('client.not_found') ? { clientId: CLIENT_ID } : {}),
    ...(refusals.includes('key.not_found') ? { keyId: KEY_ID } : {}),
    ...(refusals.includes('organization.not_found') ? { organizationId: ORGANIZATION_ID } : {}),
  };
}

type Schema = Extract<Parameters<typeof ApiBody>[0], { schema: unknown }>['schema'];

/** OpenAPI 3.1 schemas are JSON Schema 2020-12, as zod writes it. */
function toOpenApi(schema: z.ZodType, io: 'input' | 'output'): Schema {
  return Object.fromEntries(
    Object.entries(z.toJSONSchema(schema, { io })).filter(([name]) => name !== '$schema'),
  ) as Schema;
}

/** The schema that an example answer suggests: names and types. A null value gets no type, as it may be any. */
function shapeOf(value: unknown): Schema {
  if (Array.isArray(value)) return { type: 'array', items: shapeOf(value[0]) };
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    return {
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, inner]) => [name, shapeOf(inner)])),
      required: entries.map(([name]) => name),
    };
  }
  if (value === null) return { description: 'null where there is none' };
  return {
    type:
      typeof value === 'number'
        ? Number.isInteger(value)
          ? 'integer'
          : 'number'
        : typeof value === 'boolean'
          ? 'boolean'
          : 'string',
  };
}
