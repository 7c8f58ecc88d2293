import { z } from 'zod';

/** A photo's time as its sender stated it. */
export const asStated = z
  .string()
  .optional()
  .describe(
    'capturedAt as its sender stated it: with their offset, or a day (2026-11-27), month or year alone, to which nobody said an hour; capturedAt is then where it begins. Absent: nothing was stated.',
  );
