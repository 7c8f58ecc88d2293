import { Controller, Param, Post } from '@nestjs/common';
import { z } from 'zod';
import type { Operator } from '../../core/audit/operator-trail.js';
import { REVIEW_SUBJECTS } from '../../core/report/review-link.js';
import { ENVIRONMENTS } from '../../core/tenancy/tenant.js';
import { NeverPacked } from '../../platform/http/packed-answers.js';
import { JsonBody } from '../../platform/http/zod.pipe.js';
import { IN_PATH } from '../guards/admin-access.js';
import { AdminRoute, NeedsRole } from '../guards/admin-route.decorator.js';
import { CurrentOperator, CurrentSession, type HeldSession } from '../guards/operator-of-request.js';
import { DescribesAdmin, EXAMPLES } from './admin.openapi.js';
import { DeskLinkOperations, type DeskLinkView } from './desk-link-operations.js';

const DESK_LINK = z.strictObject({ environment: z.enum(ENVIRONMENTS), of: z.enum(REVIEW_SUBJECTS).default('report') });

const IN_ADDRESS = {
  organizationId: EXAMPLES.organizationId,
  reportId: '01997f2e-8888-7000-8000-000000000008',
};
const EXAMPLE: DeskLinkView = {
  id: '01997f2f-0b52-7d03-8a11-4c6e9f2b7d20',
  url: 'https://wounds.example.org/review/01997f2f-0b52-7d03-8a11-4c6e9f2b7d20#yZ0Jc3kE4b7oXx2n5mQw8r1tUv6sAaBbCcDdEeFfGgH',
  expiresAt: '2026-03-15T09:10:05.000Z',
};

/** The way from the console to the review desk. */
@AdminRoute()
@Controller('admin/v1/organizations/:organizationId/reports')
export class DeskLinksController {
  constructor(private readonly operations: DeskLinkOperations) {}

  @Post(':reportId/review-links')
  @NeverPacked()
  @NeedsRole('reviewer', IN_PATH)
  @DescribesAdmin({
    operationId: 'openReviewDesk',
    summary: 'Make a link to the review desk for oneself: it opens once, in the name of the user, for half an hour',
    body: DESK_LINK,
    example: { environment: 'live', of: 'report' },
    status: 201,
    answer: EXAMPLE,
    inPath: IN_ADDRESS,
    refusals: ['auth.session', 'report.not_found'],
  })
  create(
    @CurrentOperator() operator: Operator,
    @CurrentSession() { user }: HeldSession,
    @Param('organizationId') organizationId: string,
    @Param('reportId') reportId: string,
    @JsonBody(DESK_LINK) { environment, of }: z.output<typeof DESK_LINK>,
  ): Promise<DeskLinkView> {
    return this.operations.make(operator, user, { tenant: { organizationId, environment }, reportId, of });
  }
}
