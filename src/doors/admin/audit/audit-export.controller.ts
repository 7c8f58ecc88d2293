import { Controller, Get, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { AuditLog } from '../../../core/audit/audit-log.js';
import { AuditSigner } from '../../../core/audit/audit-signer.js';
import { OperatorTrail } from '../../../core/audit/operator-trail.js';
import type { Operator } from '../../../core/tenancy/operator.js';
import { TenancyService } from '../../../core/organizations/tenancy.service.js';
import { Clock } from '../../../core/ports/clock.js';
import { ENVIRONMENTS } from '../../../core/tenancy/tenant.js';
import { QueryInput } from '../../../platform/http/zod.pipe.js';
import { auditExport } from '../../../identity/audit/audit-export.js';
import { IN_PATH } from '../../../identity/guards/admin-access.js';
import { AdminRoute, NeedsRole } from '../../../identity/guards/admin-route.decorator.js';
import { CurrentOperator } from '../../../identity/guards/operator-of-request.js';
import { DescribesAdmin } from '../../../identity/index.js';

const LARGEST_SEAL = 2_147_483_647;
const EXPORT_QUERY = z
  .strictObject({
    environment: z.enum(ENVIRONMENTS).optional(),
    afterSeal: z
      .string()
      .regex(/^\d{1,10}$/)
      .refine((text) => Number(text) < LARGEST_SEAL, { error: 'must be the number of a seal' })
      .optional(),
  })
  .refine(({ environment, afterSeal }) => afterSeal === undefined || environment !== undefined, {
    error: 'afterSeal goes with environment: each chain has numbers of its own',
    path: ['afterSeal'],
  });
type ExportQuery = z.output<typeof EXPORT_QUERY>;

/** The trail of an organization as `audit export` writes it, over HTTP. */
@AdminRoute()
@Controller('admin/v1/organizations')
export class AuditExportController {
  constructor(
    private readonly log: AuditLog,
    private readonly signer: AuditSigner,
    private readonly trail: OperatorTrail,
    private readonly tenancy: TenancyService,
    private readonly clock: Clock,
  ) {}

  /** The row of the export is sealed before the first line is sent, which therefore has it. */
  @Get(':organizationId/audit-export')
  @NeedsRole('admin', IN_PATH)
  @DescribesAdmin({
    operationId: 'exportAuditTrail',
    summary:
      'The audit trail, sealed and signed, as lines of JSON (application/x-ndjson) for "audit verify --export"; without its last line ("end") it was cut off: go on with afterSeal, the number of the last seal that came',
    query: { environment: 'test or live; default: both', afterSeal: 'Go on behind this seal; with environment' },
    status: 200,
    answer: null,
    refusals: ['organization.not_found'],
  })
  async export(
    @CurrentOperator() operator: Operator,
    @Param('organizationId') organizationId: string,
    @QueryInput(EXPORT_QUERY) query: ExportQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.tenancy.findOrganization(organizationId);
    const { environment, afterSeal } = query;
    await this.trail.record(operator, {
      interaction: '$export-audit',
      action: 'R',
      of: { organizationId, environment },
      resources: [],
      query: new URLSearchParams({
        org: organizationId,
        ...(environment === undefined ? {} : { env: environment }),
        ...(afterSeal === undefined ? {} : { afterSeal }),
      }).toString(),
    });
    await this.log.seal();
    const first = afterSeal === undefined ? undefined : Number(afterSeal) + 1;
    const blocks = this.log.blocks({ organizationId, environment, first });
    await reply
      .code(200)
      .header('content-type', 'application/x-ndjson')
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="audit-${organizationId}.ndjson"`)
      .send(Readable.from(auditExport(blocks, this.signer, this.clock.now())));
  }
}
