import { TRACE_EXAMPLES } from './trace.examples.js';
import { Controller, Get } from '@nestjs/common';
import { z } from 'zod';
import type { Operator } from '../../../core/tenancy/operator.js';
import { QueryInput } from '../../../platform/http/zod.pipe.js';
import { IN_QUERY } from '../../../identity/guards/admin-access.js';
import { AdminRoute, NeedsRole } from '../../../identity/guards/admin-route.decorator.js';
import { CurrentOperator } from '../../../identity/guards/operator-of-request.js';
import { DescribesAdmin } from '../../../identity/index.js';
import { TraceOperations } from './trace-operations.js';
import type { TraceView } from './trace.views.js';

const TRACE_QUERY = z.strictObject({ id: z.string().trim().min(1).max(200), organizationId: z.uuid().optional() });

/** Traces of photos, for the operator. */
@AdminRoute()
@Controller('admin/v1/trace')
export class TraceController {
  constructor(private readonly operations: TraceOperations) {}

  @Get()
  @NeedsRole('viewer', IN_QUERY)
  @DescribesAdmin({
    operationId: 'tracePhoto',
    summary:
      'What happened to one photo, through every door, and what to do where it stands still; written into the audit trail',
    query: {
      id: 'Of an image, job, report, wound, delivery or FHIR resource, an HL7 message, its control id or order number, a number of a patient, or a request id',
      organizationId: 'Of this organization only; who is no installation admin names one of their own',
    },
    status: 200,
    answer: TRACE_EXAMPLES.trace,
    refusals: ['trace.not_found'],
  })
  trace(
    @CurrentOperator() operator: Operator,
    @QueryInput(TRACE_QUERY) { id, organizationId }: z.output<typeof TRACE_QUERY>,
  ): Promise<TraceView> {
    return this.operations.trace(operator, id, { organizationId });
  }
}
