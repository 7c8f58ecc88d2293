import { z } from 'zod';
import { ENVIRONMENTS } from '../../core/tenancy/tenant.js';
import { plainText } from '../../platform/http/text.schema.js';
import { INBOUND_STATES, LISTENER_SETTINGS } from '../inbox/index.js';
import { DESTINATION_SETTINGS } from '../outbound/index.js';

export const LARGEST_PAGE = 1000;
const DEFAULT_PAGE = 100;
/** As much text as an admin request may carry. */
const LONGEST_TRIAL = 200_000;

const owner = { organizationId: z.uuid(), environment: z.enum(ENVIRONMENTS), name: plainText(100) };

export const NEW_LISTENER = z.strictObject({ ...owner, settings: LISTENER_SETTINGS });
export const NEW_DESTINATION = z.strictObject({ ...owner, settings: DESTINATION_SETTINGS });
export const OF_ORGANIZATION = z.strictObject({ organizationId: z.uuid().optional() });

export const OUTBOUND_STATES = ['waiting', 'delivered', 'parked', 'discarded', 'collapsed'] as const;
const page = { organizationId: z.uuid().optional(), environment: z.enum(ENVIRONMENTS).optional(), limit: z.coerce.number().int().min(1).max(LARGEST_PAGE).default(DEFAULT_PAGE), after: z.uuid().optional() };

export const INBOUND_QUERY = z.strictObject({ ...page, direction: z.literal('in').default('in'), listenerId: z.uuid().optional(), state: z.enum(INBOUND_STATES).optional(), controlId: plainText(255).optional() });
export const OUTBOUND_QUERY = z
  .strictObject({ ...page, direction: z.literal('out'), destinationId: z.uuid().optional(), state: z.enum(OUTBOUND_STATES).optional() })
  .refine(({ organizationId, environment }) => (organizationId === undefined) === (environment === undefined), { error: 'must name organizationId and environment together' });
export const MESSAGE_QUERY = z.union([OUTBOUND_QUERY, INBOUND_QUERY]);

export const TRIAL = z.strictObject({ listenerId: z.uuid(), message: z.string().min(1).max(LONGEST_TRIAL) });

export type NewListener = z.output<typeof NEW_LISTENER>;
export type NewDestination = z.output<typeof NEW_DESTINATION>;
export type InboundQuery = z.output<typeof INBOUND_QUERY>;
export type OutboundQuery = z.output<typeof OUTBOUND_QUERY>;
export type Trial = z.output<typeof TRIAL>;
