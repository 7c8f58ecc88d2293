import { Controller, Get } from '@nestjs/common';
import { z } from 'zod';
import { FIGURE_SPANS } from '../../../core/figures/figure-history.js';
import { NO_FIGURES } from '../../../core/figures/service-figures.js';
import { ENVIRONMENTS } from '../../../core/tenancy/tenant.js';
import { QueryInput } from '../../../platform/http/zod.pipe.js';
import { IN_QUERY } from '../../../identity/guards/admin-access.js';
import { AdminRoute, NeedsRole } from '../../../identity/guards/admin-route.decorator.js';
import { DescribesAdmin } from '../../../identity/index.js';
import { FigureOperations } from './figure-operations.js';
import type { FiguresView } from './figures.views.js';

const FIGURES_QUERY = z.strictObject({
  span: z.enum(FIGURE_SPANS).default('day'),
  organizationId: z.uuid().optional(),
  environment: z.enum(ENVIRONMENTS).optional(),
});

const EXAMPLE: FiguresView = {
  stepS: 300,
  points: [
    {
      at: '2026-03-15T08:40:00.000Z',
      figures: { ...NO_FIGURES, analysed: 3, latencies: [0, 0, 1, 2], p50S: 2.3, p95S: 2.9 },
    },
    { at: '2026-03-15T08:45:00.000Z', figures: null },
  ],
};

/** The service's own figures over time, for the operator. */
@AdminRoute()
@Controller('admin/v1/figures')
export class FiguresController {
  constructor(private readonly operations: FigureOperations) {}

  @Get()
  @NeedsRole('viewer', IN_QUERY)
  @DescribesAdmin({
    operationId: 'readFigures',
    summary:
      'Queue, analyses, times, messages, deliveries, quota and models of the last 24 hours by five minutes, or of the last seven days by hours; counts alone',
    query: {
      span: 'day (default) or week',
      organizationId: 'Of this organization only; who is no installation admin names one of their own',
      environment: 'test or live, of an organization; default: both',
    },
    inPath: {},
    status: 200,
    answer: EXAMPLE,
  })
  read(@QueryInput(FIGURES_QUERY) { span, ...of }: z.output<typeof FIGURES_QUERY>): Promise<FiguresView> {
    return this.operations.read(span, of);
  }
}
