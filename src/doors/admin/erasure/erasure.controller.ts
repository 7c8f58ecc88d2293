import { ERASURE_EXAMPLES } from './erasure.examples.js';
import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import type { Operator } from '../../../core/tenancy/operator.js';
import { JsonBody } from '../../../platform/http/zod.pipe.js';
import { IN_PATH } from '../../../identity/guards/admin-access.js';
import { AdminRoute, NeedsRole } from '../../../identity/guards/admin-route.decorator.js';
import { CurrentOperator } from '../../../identity/guards/operator-of-request.js';
import { ADMIN_EXAMPLE_IDS, DescribesAdmin } from '../../../identity/index.js';
import { ErasureOperations } from './erasure-operations.js';
import {
  ERASURE,
  HOLD,
  NAMED_PATIENT,
  type ErasureInput,
  type HoldInput,
  type NamedPatient,
} from './erasure.schema.js';
import type { ErasureView, HoldView } from './erasure.views.js';

const OF_ORGANIZATION = { organizationId: ADMIN_EXAMPLE_IDS.organizationId };
const EXAMPLE = { environment: 'live', patient: 'MRN-4711' };

/** What is forgotten of patients, and what must not be, for the operator. */
@AdminRoute()
@Controller('admin/v1/organizations/:organizationId')
export class ErasureController {
  constructor(private readonly operations: ErasureOperations) {}

  @Post('patients/erase')
  @HttpCode(200)
  @NeedsRole('admin', IN_PATH)
  @DescribesAdmin({
    operationId: 'erasePatient',
    summary:
      'Erase everything about one patient, for good: photos, results, resources, messages, deliveries; `dryRun` shows what would go',
    inPath: OF_ORGANIZATION,
    body: ERASURE,
    example: { ...EXAMPLE, dryRun: true },
    status: 200,
    answer: ERASURE_EXAMPLES.erasure,
    refusals: ['patient.not_found', 'patient.ambiguous', 'patient.on_hold', 'patient.in_use', 'hl7.sealed'],
  })
  erase(
    @CurrentOperator() operator: Operator,
    @Param('organizationId') organizationId: string,
    @JsonBody(ERASURE) input: ErasureInput,
  ): Promise<ErasureView> {
    return this.operations.erase(operator, organizationId, input);
  }

  @Get('erasures')
  @NeedsRole('admin', IN_PATH)
  @DescribesAdmin({
    operationId: 'listErasures',
    summary: 'The newest 1,000 erasures of patients, those under way included',
    inPath: OF_ORGANIZATION,
    status: 200,
    answer: { items: [ERASURE_EXAMPLES.erasure] },
    refusals: ['organization.not_found'],
  })
  async list(
    @CurrentOperator() operator: Operator,
    @Param('organizationId') organizationId: string,
  ): Promise<{ readonly items: readonly ErasureView[] }> {
    return { items: await this.operations.list(operator, organizationId) };
  }

  @Post('patients/hold')
  @HttpCode(200)
  @NeedsRole('admin', IN_PATH)
  @DescribesAdmin({
    operationId: 'holdPatient',
    summary: 'Place a legal hold: nothing of the patient is erased, by age or on demand, until it is lifted',
    inPath: OF_ORGANIZATION,
    body: HOLD,
    example: { ...EXAMPLE, reason: 'Court file 12-345' },
    status: 200,
    answer: ERASURE_EXAMPLES.hold,
    refusals: ['patient.not_found', 'patient.ambiguous'],
  })
  hold(
    @CurrentOperator() operator: Operator,
    @Param('organizationId') organizationId: string,
    @JsonBody(HOLD) input: HoldInput,
  ): Promise<HoldView> {
    return this.operations.hold(operator, organizationId, input);
  }

  @Post('patients/release')
  @HttpCode(204)
  @NeedsRole('admin', IN_PATH)
  @DescribesAdmin({
    operationId: 'releasePatient',
    summary: 'Lift a legal hold',
    inPath: OF_ORGANIZATION,
    body: NAMED_PATIENT,
    example: EXAMPLE,
    status: 204,
    answer: null,
    refusals: ['patient.not_found', 'patient.ambiguous', 'patient.not_held'],
  })
  async release(
    @CurrentOperator() operator: Operator,
    @Param('organizationId') organizationId: string,
    @JsonBody(NAMED_PATIENT) input: NamedPatient,
  ): Promise<void> {
    await this.operations.release(operator, organizationId, input);
  }

  @Get('holds')
  @NeedsRole('admin', IN_PATH)
  @DescribesAdmin({
    operationId: 'listHolds',
    summary: 'The legal holds of the organization, oldest first',
    inPath: OF_ORGANIZATION,
    status: 200,
    answer: { items: [ERASURE_EXAMPLES.hold] },
    refusals: ['organization.not_found'],
  })
  async holds(
    @CurrentOperator() operator: Operator,
    @Param('organizationId') organizationId: string,
  ): Promise<{ readonly items: readonly HoldView[] }> {
    return { items: await this.operations.holds(operator, organizationId) };
  }
}
