import { Controller, Param, Post } from '@nestjs/common';
import { z } from 'zod';
import { OperatorTrail } from '../../../core/audit/operator-trail.js';
import type { Operator } from '../../../core/tenancy/operator.js';
import { REVIEW_SUBJECTS } from '../../../core/report/review-link.js';
import { ReviewLinks } from '../../../core/report/review-links.js';
import { ENVIRONMENTS } from '../../../core/tenancy/tenant.js';
import {
  AdminRoute,
  CurrentOperator,
  CurrentSession,
  IN_PATH,
  NeedsRole,
  type HeldSession,
  DescribesAdmin,
} from '../../../identity/index.js';
import { NeverPacked } from '../../../platform/http/packed-answers.js';
import { JsonBody } from '../../../platform/http/zod.pipe.js';
import { DeskLinks, namedBy, type DeskLinkView } from './desk-links.js';

const LINK_MIN = 30;
const REQUEST_BODY = z.strictObject({
  environment: z.enum(ENVIRONMENTS),
  of: z.enum(REVIEW_SUBJECTS).default('report'),
});

const ORGANIZATION_ID = '01997f2e-1111-7000-8000-000000000001';
const REPORT_ID = '01997f2e-8888-7000-8000-000000000008';
const LINK_ID = '01997f2f-0b52-7d03-8a11-4c6e9f2b7d20';
const EXAMPLE: DeskLinkView = {
  id: LINK_ID,
  url: `https://wounds.example.org/review/${LINK_ID}#yZ0Jc3kE4b7oXx2n5mQw8r1tUv6sAaBbCcDdEeFfGgH`,
  expiresAt: '2026-03-15T09:10:05.000Z',
};

/** The way from the console to the review desk, for people who are logged in. Each link is a row of the organization's audit trail. */
@AdminRoute()
@Controller('admin/v1/organizations/:organizationId/reports')
export class ConsoleReviewController {
  constructor(
    private readonly links: ReviewLinks,
    private readonly desk: DeskLinks,
    private readonly trail: OperatorTrail,
  ) {}

  /** `auth.session` for the admin token, which has no user; `report.not_found`. */
  @Post(':reportId/review-links')
  @NeverPacked()
  @NeedsRole('reviewer', IN_PATH)
  @DescribesAdmin({
    operationId: 'openReviewDesk',
    summary: 'Make a link to the review desk for oneself: it opens once, in the name of the user, for half an hour',
    body: REQUEST_BODY,
    example: { environment: 'live', of: 'report' },
    status: 201,
    answer: EXAMPLE,
    inPath: { organizationId: ORGANIZATION_ID, reportId: REPORT_ID },
    refusals: ['auth.session', 'report.not_found'],
  })
  async create(
    @CurrentOperator() operator: Operator,
    @CurrentSession() { user }: HeldSession,
    @Param('organizationId') organizationId: string,
    @Param('reportId') wantedId: string,
    @JsonBody(REQUEST_BODY) { environment, of }: z.output<typeof REQUEST_BODY>,
  ): Promise<DeskLinkView> {
    const tenant = { organizationId, environment };
    const report = await this.desk.reportFor(tenant, wantedId);
    const made = await this.links.makeForUser(user, tenant, {
      ...namedBy(report, of),
      mode: 'review',
      minutes: LINK_MIN,
      language: null,
      frameOrigin: null,
    });
    await this.trail.record(operator, {
      interaction: '$review-link',
      action: 'R',
      of: tenant,
      query: `review link review ${of}`,
      resources: [`DiagnosticReport/${report.id}`],
    });
    return this.desk.view(made);
  }
}
