import { ERASURE_EXAMPLES } from './erasure.examples.js';
import { Controller, Get, Param, Patch } from '@nestjs/common';
import type { Operator } from '../../../core/tenancy/operator.js';
import { JsonBody } from '../../../platform/http/zod.pipe.js';
import { IN_PATH } from '../../../identity/guards/admin-access.js';
import { AdminRoute, NeedsRole } from '../../../identity/guards/admin-route.decorator.js';
import { CurrentOperator } from '../../../identity/guards/operator-of-request.js';
import { DescribesAdmin } from '../../../identity/index.js';
import { RetentionOperations, type RetentionView } from './retention-operations.js';
import { RETENTION_CHANGE, type RetentionChangeInput } from './retention.schema.js';

/** How long an organization keeps what, for the operator. */
@AdminRoute()
@Controller('admin/v1/organizations/:organizationId/retention')
export class RetentionController {
  constructor(private readonly operations: RetentionOperations) {}

  @Get()
  @NeedsRole('viewer', IN_PATH)
  @DescribesAdmin({
    operationId: 'showRetention',
    summary: 'How long the organization keeps what, and what the newest 100 sweeps removed',
    status: 200,
    answer: ERASURE_EXAMPLES.retention,
    refusals: ['organization.not_found'],
  })
  show(@CurrentOperator() operator: Operator, @Param('organizationId') organizationId: string): Promise<RetentionView> {
    return this.operations.show(operator, organizationId);
  }

  @Patch()
  @NeedsRole('admin', IN_PATH)
  @DescribesAdmin({
    operationId: 'changeRetention',
    summary: 'Change how long the organization keeps what; null keeps it until somebody removes it',
    body: RETENTION_CHANGE,
    example: { photoDays: 365, messageDays: 90 },
    status: 200,
    answer: ERASURE_EXAMPLES.retention,
    refusals: ['organization.not_found'],
  })
  change(
    @CurrentOperator() operator: Operator,
    @Param('organizationId') organizationId: string,
    @JsonBody(RETENTION_CHANGE) input: RetentionChangeInput,
  ): Promise<RetentionView> {
    return this.operations.change(operator, organizationId, input);
  }
}
