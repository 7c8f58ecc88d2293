import { z } from 'zod';

const MOST_DAYS = 36_500;
const MOST_HOURS = 720;
const days = z.int().min(1).max(MOST_DAYS).nullable().optional();

/** What is not named stays; null: never by age. */
export const RETENTION_CHANGE = z.strictObject({
  photoDays: days,
  messageDays: days,
  recordDays: days,
  idempotencyHours: z.int().min(1).max(MOST_HOURS).nullable().optional(),
});

export type RetentionChangeInput = z.output<typeof RETENTION_CHANGE>;
