import { Controller, Get, Param } from '@nestjs/common';
import type { Bundle } from '@medplum/fhirtypes';
import { z } from 'zod';
import type { AuditRecord } from '../../../core/audit/access.js';
import { OperatorTrail } from '../../../core/audit/operator-trail.js';
import type { Operator } from '../../../core/tenancy/operator.js';
import { NameDirectory } from '../../../core/organizations/name-directory.js';
import { AuditLog } from '../../../core/audit/audit-log.js';
import { ENVIRONMENTS } from '../../../core/tenancy/tenant.js';
import { AdminRoute, CurrentOperator, IN_PATH, NeedsRole, DescribesAdmin } from '../../../identity/index.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { plainText } from '../../../platform/http/text.schema.js';
import { QueryInput } from '../../../platform/http/zod.pipe.js';
import { namesFor, UNNAMED, withNames, type EventNames } from './audit-names.js';
import { toAuditEvent } from './to-audit-event.js';

const DEFAULT_LIMIT = 100;
const LARGEST_LIMIT = 1000;

const instant = z.iso.datetime({ offset: true });
const AUDIT_QUERY = z.strictObject({
  environment: z.enum(ENVIRONMENTS).optional(),
  patient: plainText(255).optional(),
  from: instant.optional(),
  to: instant.optional(),
  agent: plainText(255).optional(),
  refused: z.enum(['true', 'false']).optional(),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,3}$/)
    .refine((text) => Number(text) <= LARGEST_LIMIT, { error: `must be a whole number from 1 to ${LARGEST_LIMIT}` })
    .optional(),
  before: z
    .string()
    .regex(/^\d{1,18}$/, { error: 'must be the number that the page before ended with' })
    .optional(),
});
type AuditQuery = z.output<typeof AUDIT_QUERY>;

const EXAMPLE: AuditRecord = {
  id: '42',
  organizationId: '01997f2e-1111-7000-8000-000000000001',
  environment: 'live',
  recordedAt: new Date('2026-01-05T08:30:00Z'),
  door: 'fhir',
  interaction: 'read',
  action: 'R',
  keyId: '01997f2e-2222-7000-8000-000000000002',
  requestId: '01997f2e-3333-7000-8000-000000000003',
  address: '192.0.2.10',
  patientId: '01997f2e-4444-7000-8000-000000000004',
  resources: ['DiagnosticReport/01997f2e-5555-7000-8000-000000000005'],
  query: null,
  refusal: null,
  person: 'HCP-0042',
};

/** Accesses to an organization's data as FHIR AuditEvents, for the operator. Clients cannot read them. */
@AdminRoute()
@Controller('admin/v1/organizations')
export class AuditEventsController {
  constructor(
    private readonly log: AuditLog,
    private readonly trail: OperatorTrail,
    private readonly address: PublicAddress,
    private readonly names: NameDirectory,
  ) {}

  @Get(':organizationId/audit-events')
  @NeedsRole('admin', IN_PATH)
  @DescribesAdmin({
    operationId: 'listAuditEvents',
    summary: 'Who came to whose data, newest first, as FHIR AuditEvents in a searchset Bundle',
    query: {
      environment: 'test or live; default: both',
      patient: 'Only what concerned this patient: a number of the patient, or the id of the FHIR Patient',
      from: 'From this moment on (RFC 3339)',
      to: 'Before this moment (RFC 3339)',
      agent: 'Only what this key, client or person did, or the user of the admin API of this name',
      refused: 'true: only what was refused; false: only what was done',
      limit: `1 to ${LARGEST_LIMIT}; default ${DEFAULT_LIMIT}`,
      before: 'Where the page before ended: see the link "next"',
    },
    status: 200,
    answer: toBundle([EXAMPLE], 'https://sutura.example', null, UNNAMED),
  })
  async list(
    @CurrentOperator() operator: Operator,
    @Param('organizationId') organizationId: string,
    @QueryInput(AUDIT_QUERY) query: AuditQuery,
  ): Promise<HttpAnswer> {
    const { environment, patient, from, to, agent, refused, before = null } = query;
    const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
    const filter = {
      organizationId,
      environment,
      patient,
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
      agent,
      refused: refused === undefined ? undefined : refused === 'true',
    };
    const records = await this.log.list(filter, limit, before);
    await this.trail.record(operator, {
      interaction: 'search-type',
      action: 'R',
      of: { organizationId, environment },
      resources: [],
      query: 'AuditEvent',
    });
    const next = records.length < limit ? null : this.nextOf(organizationId, query, records.at(-1)!.id);
    const answer = jsonAnswer(200, toBundle(records, this.address.url, next, await namesFor(records, this.names)));
    return {
      ...answer,
      headers: { ...answer.headers, 'content-type': 'application/fhir+json; charset=utf-8' },
    };
  }

  private nextOf(organizationId: string, query: AuditQuery, before: string): string {
    const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined || name === 'before' ? [] : [[name, value]],
    );
    return `${this.address.url}/admin/v1/organizations/${organizationId}/audit-events?${new URLSearchParams([...given, ['before', before]]).toString()}`;
  }
}

function toBundle(records: readonly AuditRecord[], site: string, next: string | null, names: EventNames): Bundle {
  return {
    resourceType: 'Bundle',
    type: 'searchset',
    ...(next === null ? {} : { link: [{ relation: 'next', url: next }] }),
    ...(records.length === 0
      ? {}
      : {
          entry: records.map((record) => ({
            fullUrl: `urn:sutura:audit-event:${record.id}`,
            resource: withNames(toAuditEvent(record, site), record.organizationId, names),
            search: { mode: 'match' },
          })),
        }),
  } as Bundle;
}
