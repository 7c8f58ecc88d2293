import { z } from 'zod';
import { FURTHEST_AHEAD_DAYS, type ClockChange, type SandboxTime } from '../../../core/organizations/sandbox-clock.js';
import { readDuration } from '../../../core/times/forward-duration.js';
import { plainText } from '../../../platform/http/text.schema.js';

/** No duration that the clock can go is longer. */
const LONGEST_DURATION = 40;

const momentText = z.iso
  .datetime({ offset: true, error: 'must be an RFC 3339 timestamp with an offset, such as 2026-05-10T08:30:00Z' })
  .describe('To where the clock is set; RFC 3339 with an offset. Not before the time of the clock.');

const durationText = plainText(LONGEST_DURATION)
  .refine((text) => readDuration(text) !== null, {
    error:
      'must be an ISO 8601 duration of whole weeks, days, hours, minutes and seconds, such as P28D, P8W or PT36H; months and years have no fixed length',
  })
  .describe(
    'How far the clock is moved ahead: an ISO 8601 duration of whole weeks, days, hours, minutes and seconds. Months and years have no fixed length.',
  );

export const clockRequestSchema = z
  .strictObject({ now: momentText.optional(), advance: durationText.optional() })
  .refine(({ now, advance }) => (now === undefined) !== (advance === undefined), {
    error: 'must have either now or advance',
  })
  .meta({
    id: 'SandboxClockRequest',
    description: 'How the clock of the test environment is moved: either now or advance.',
  });
export type ClockRequest = z.output<typeof clockRequestSchema>;

export const sandboxClockSchema = z
  .looseObject({
    now: z.iso
      .datetime()
      .describe('The time of the clock as this answer is written. It goes on at the pace of real time.'),
    aheadSeconds: z.number().min(0).describe('How far ahead of real time it is; 0: it was never moved.'),
    latest: z.iso
      .datetime()
      .describe(`The latest moment to which it can be set at present: ${FURTHEST_AHEAD_DAYS} days ahead of real time.`),
  })
  .meta({ id: 'SandboxClock', description: 'The clock of an organization’s test environment.' });

export const SANDBOX_SCHEMAS: readonly z.ZodType[] = [clockRequestSchema, sandboxClockSchema];

export function toClockChange({ now, advance }: ClockRequest): ClockChange {
  return now === undefined ? { advanceMs: readDuration(advance!)! } : { now: new Date(now) };
}

export function toClockView({ now, aheadMs, latest }: SandboxTime) {
  return { now: now.toISOString(), aheadSeconds: aheadMs / 1000, latest: latest.toISOString() };
}
