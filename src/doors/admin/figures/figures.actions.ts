import { z } from 'zod';
import { FIGURE_SPANS } from '../../../core/figures/figure-history.js';
import { NO_FIGURES } from '../../../core/figures/service-figures.js';
import { ENVIRONMENTS } from '../../../core/tenancy/tenant.js';
import { IN_QUERY } from '../../../identity/index.js';
import { adminGroup } from '../action/admin-group.js';
import { FigureSampler } from './figure-sampler.js';
import { FIGURES } from './figures.views.js';

const { action, group } = adminGroup({ sampler: FigureSampler });

const read = action({
  name: 'readFigures',
  route: 'GET /figures',
  does: 'Queue, analyses, times, messages, deliveries, quota and models of the last 24 hours by five minutes, or of the last seven days by hours; counts alone',
  who: { role: 'viewer', of: IN_QUERY },
  query: z.strictObject({
    span: z.enum(FIGURE_SPANS).default('day').describe('day (default) or week'),
    organizationId: z
      .uuid()
      .optional()
      .describe('Of this organization only; who is no installation admin names one of their own'),
    environment: z.enum(ENVIRONMENTS).optional().describe('test or live, of an organization; default: both'),
  }),
  answers: FIGURES,
  shows: {
    stepS: 300,
    points: [
      {
        at: '2026-03-15T08:40:00.000Z',
        figures: { ...NO_FIGURES, analysed: 3, latencies: [0, 0, 1, 2], p50S: 2.3, p95S: 2.9 },
      },
      { at: '2026-03-15T08:45:00.000Z', figures: null },
    ],
  },
  async run({ sampler }, { span, ...of }) {
    const points = await sampler.history.read(span, of);
    return {
      stepS: span === 'day' ? 300 : 3600,
      points: points.map(({ at, figures }) => ({ at: at.toISOString(), figures })),
    };
  },
  trail: 'none',
});

/** The service's own figures over time. Counts alone, so that a look is no row of the audit trail. */
export const FIGURE_ACTIONS = group('FiguresController', [read]);
