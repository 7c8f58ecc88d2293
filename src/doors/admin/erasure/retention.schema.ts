import { z } from 'zod';

const MOST_DAYS = 36_500;
/** Until then rows are searched where they are: an auditor's year. */
const LEAST_AUDIT_DAYS = 365;
const MOST_HOURS = 720;
const days = z.int().min(1).max(MOST_DAYS).nullable().optional();

/** What is not named stays; null: never by age. */
export const RETENTION_CHANGE = z.strictObject({
  photoDays: days,
  messageDays: days,
  versionDays: days,
  recordDays: days,
  unnamedDays: days,
  auditDays: z.int().min(LEAST_AUDIT_DAYS).max(MOST_DAYS).nullable().optional(),
  idempotencyHours: z.int().min(1).max(MOST_HOURS).nullable().optional(),
});

export type RetentionChangeInput = z.output<typeof RETENTION_CHANGE>;
