import { z } from 'zod';
import { list, moment } from '../action/answer-fields.js';

const count = z.int();
const standing = count.describe('At the end of the span.');
const times = { p50S: z.number().nullable(), p95S: z.number().nullable() };

const figures = z.object({
  analysed: count,
  failed: count,
  latencies: list(count),
  models: z.record(z.string(), count),
  messagesIn: count,
  messagesRefused: count,
  messagesOut: count,
  attemptsFailed: count,
  queued: standing,
  deliveriesWaiting: standing,
  deliveriesParked: standing,
  quotaUsed: standing,
  ...times,
});

/** The service's figures, in spans of `stepS`, oldest first. */
export const FIGURES = z.object({
  stepS: z.int(),
  points: list(z.object({ at: moment, figures: figures.nullable().describe('null: no gateway ran.') })),
});
export type FiguresView = z.output<typeof FIGURES>;
