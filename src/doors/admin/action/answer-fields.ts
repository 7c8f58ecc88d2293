import { z } from 'zod';
import { ENVIRONMENTS } from '../../../core/tenancy/tenant.js';

/** An id of this service. */
export const id = z.string().meta({ format: 'uuid' });
/** RFC 3339 in UTC. */
export const moment = z.string().meta({ format: 'date-time' });
export const environment = z.enum(ENVIRONMENTS);
/** Of one organization, in one environment. */
export const owner = { organizationId: id, environment };

/** What people call it. */
export const named = z
  .string()
  .nullable()
  .describe(
    'What people call it, or its address, or first and last letters of a key; null: nothing has that id any more.',
  );

/** A list of what records hold, which nobody changes. */
export function list<T extends z.ZodType>(of: T): z.ZodReadonly<z.ZodArray<T>> {
  return z.array(of).readonly();
}
