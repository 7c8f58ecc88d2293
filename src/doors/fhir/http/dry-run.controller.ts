import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { OperatorTrail } from '../../../core/audit/operator-trail.js';
import type { Operator } from '../../../core/tenancy/operator.js';
import { ENVIRONMENTS } from '../../../core/tenancy/tenant.js';
import { AdminRoute, CurrentOperator, IN_QUERY, NeedsRole, DescribesAdmin } from '../../../identity/index.js';
import { NeverPacked } from '../../../platform/http/packed-answers.js';
import type { HttpAdapter } from '../../../platform/http/http.adapter.js';
import { QueryInput } from '../../../platform/http/zod.pipe.js';
import { BundleDryRun } from '../records/bundle-dry-run.js';
import type { FhirDryRunView } from '../records/dry-run.views.js';
import { ResourceXml } from '../../../standards/fhir/xml/resource-xml.js';
import { readSent } from './body-reading.js';

const PATH = 'admin/v1/fhir/dry-run';
const QUERY = z.strictObject({ organizationId: z.uuid(), environment: z.enum(ENVIRONMENTS) });

const EXAMPLE: FhirDryRunView = {
  kind: 'resource',
  taken: false,
  entries: [{ index: 0, request: 'POST Patient', outcome: 'refused' }],
  analyses: 0,
  issues: [{ severity: 'error', expression: 'Patient.birthDate', text: 'This is not a date of FHIR.' }],
};

/** What a resource or Bundle would do if a client posted it; for operators. */
@AdminRoute()
@Controller(PATH)
export class DryRunController {
  constructor(
    adapterHost: HttpAdapterHost<HttpAdapter>,
    private readonly dryRun: BundleDryRun,
    private readonly trail: OperatorTrail,
    private readonly xml: ResourceXml,
  ) {
    // It takes what the FHIR door takes, photos included, and reads it as that does.
    adapterHost.httpAdapter.unreadBodies.claim(`/${PATH}`);
  }

  @Post()
  @NeverPacked()
  @HttpCode(200)
  @NeedsRole('integrator', IN_QUERY)
  @DescribesAdmin({
    operationId: 'tryFhirResource',
    summary:
      'What a resource or Bundle would do if a key of the organization posted it, and where it is wrong; it is done and taken back, so that nothing is kept, charged or told. The body is that of POST /fhir',
    query: { organizationId: 'Whose data it would come to', environment: 'test or live' },
    inPath: {},
    status: 200,
    answer: EXAMPLE,
    refusals: ['fhir.preparing', 'request.too_large', 'request.timeout'],
  })
  async tryOut(
    @CurrentOperator() operator: Operator,
    @QueryInput(QUERY) tenant: z.output<typeof QUERY>,
    @Req() request: FastifyRequest,
  ): Promise<FhirDryRunView> {
    const body = await readSent({ request, xml: this.xml });
    await this.trail.record(operator, { interaction: '$dry-run', action: 'R', of: tenant, resources: [] });
    return this.dryRun.run(tenant, request.id, body);
  }
}
