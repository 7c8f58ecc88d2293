import { z } from 'zod';
import { ENVIRONMENTS } from '../../core/tenancy/tenant.js';
import { plainText } from '../../platform/http/text.schema.js';
import { INBOUND_STATES, LISTENER_SETTINGS } from '../inbox/index.js';
import { DESTINATION_SETTINGS, OUTBOUND_STATES, type QueueChoice } from '../outbound/index.js';

export const LARGEST_PAGE = 1000;
const DEFAULT_PAGE = 100;
/** As much text as an admin request may carry. */
const LONGEST_TRIAL = 200_000;

const owner = { organizationId: z.uuid(), environment: z.enum(ENVIRONMENTS), name: plainText(100) };

export const NEW_LISTENER = z.strictObject({ ...owner, settings: LISTENER_SETTINGS });
export const NEW_DESTINATION = z.strictObject({ ...owner, settings: DESTINATION_SETTINGS });
/** A merge patch (RFC 7396): what is not named stays, null brings a setting back to its default. */
const change = { name: plainText(100).optional(), settings: z.record(z.string().min(1).max(64), z.unknown()).optional(), enabled: z.boolean().optional() };
const isNotEmpty = (wish: object): boolean => Object.keys(wish).length > 0;
export const LISTENER_CHANGE = z.strictObject(change).refine(isNotEmpty, { error: 'must name what changes' });
export const DESTINATION_CHANGE = z.strictObject(change).refine(isNotEmpty, { error: 'must name what changes' });

/** What becomes of the queue of a destination that is deleted. */
export const REMOVAL_QUERY = z
  .strictObject({ queue: z.enum(['park', 'discard', 'move']).optional(), to: z.uuid().optional() })
  .refine(({ queue, to }) => (queue === 'move') === (to !== undefined), { error: 'must name with "to" the destination that the queue is moved to, and only then' });
export const MOVE = z.strictObject({ destinationId: z.uuid() });

export const OF_ORGANIZATION = z.strictObject({ organizationId: z.uuid().optional() });

const page = { organizationId: z.uuid().optional(), environment: z.enum(ENVIRONMENTS).optional(), limit: z.coerce.number().int().min(1).max(LARGEST_PAGE).default(DEFAULT_PAGE), after: z.uuid().optional() };

export const INBOUND_QUERY = z.strictObject({ ...page, direction: z.literal('in').default('in'), listenerId: z.uuid().optional(), state: z.enum(INBOUND_STATES).optional(), controlId: plainText(255).optional() });
export const OUTBOUND_QUERY = z
  .strictObject({ ...page, direction: z.literal('out'), destinationId: z.uuid().optional(), state: z.enum(OUTBOUND_STATES).optional() })
  .refine(({ organizationId, environment }) => (organizationId === undefined) === (environment === undefined), { error: 'must name organizationId and environment together' });
export const MESSAGE_QUERY = z.union([OUTBOUND_QUERY, INBOUND_QUERY]);

export const TRIAL = z.strictObject({ listenerId: z.uuid(), message: z.string().min(1).max(LONGEST_TRIAL) });

export type NewListener = z.output<typeof NEW_LISTENER>;
export type NewDestination = z.output<typeof NEW_DESTINATION>;
export type ListenerChangeWish = z.output<typeof LISTENER_CHANGE>;
export type DestinationChangeWish = z.output<typeof DESTINATION_CHANGE>;
export type RemovalQuery = z.output<typeof REMOVAL_QUERY>;
export type Move = z.output<typeof MOVE>;
export type InboundQuery = z.output<typeof INBOUND_QUERY>;
export type OutboundQuery = z.output<typeof OUTBOUND_QUERY>;
export type Trial = z.output<typeof TRIAL>;

/** null: none was made. */
export function queueChoiceOf({ queue, to }: RemovalQuery): QueueChoice | null {
  if (queue === undefined) return null;
  return queue === 'move' ? { kind: queue, destinationId: to! } : { kind: queue };
}
