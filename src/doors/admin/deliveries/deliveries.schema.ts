import { z } from 'zod';
import { ENVIRONMENTS } from '../../../core/tenancy/tenant.js';

const STATES = ['waiting', 'delivered', 'parked', 'discarded', 'collapsed', 'moved'] as const;
const LARGEST_PAGE = 1000;
const DEFAULT_PAGE = 100;
const instant = z.iso.datetime({ offset: true });

/** The newest deliveries: of one endpoint, organization or state alone. */
export const DELIVERY_QUERY = z.strictObject({
  endpointId: z.uuid().optional(),
  organizationId: z.uuid().optional(),
  environment: z.enum(ENVIRONMENTS).optional(),
  state: z.enum(STATES).optional(),
  limit: z.coerce.number().int().min(1).max(LARGEST_PAGE).default(DEFAULT_PAGE),
});

/** The endpoints of every exit, or of one organization, environment or exit alone. */
export const ENDPOINT_QUERY = z.strictObject({
  organizationId: z.uuid().optional(),
  environment: z.enum(ENVIRONMENTS).optional(),
  exit: z.enum(['webhook', 'subscription', 'hl7']).optional(),
});

/** What was made in a time, to be sent again; `until` is not included, and is now where it is absent. */
export const DELIVERY_RANGE = z.strictObject({ endpointId: z.uuid(), since: instant, until: instant.optional() });

export type EndpointQuery = z.output<typeof ENDPOINT_QUERY>;
export type DeliveryQuery = z.output<typeof DELIVERY_QUERY>;
export type DeliveryRange = z.output<typeof DELIVERY_RANGE>;
