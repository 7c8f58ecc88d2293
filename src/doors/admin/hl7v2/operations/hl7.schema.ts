import { z } from 'zod';
import { ENVIRONMENTS } from '../../../../core/tenancy/tenant.js';
import { plainText } from '../../../../platform/http/text.schema.js';
import { LISTENER_SETTINGS } from '../../../hl7v2/inbox/listeners/hl7-listener.js';
import { INBOUND_STATES } from '../../../hl7v2/inbox/store/inbound-record.js';
import type { QueueChoice } from '../../../../exits/mllp/destinations/destination-removal.js';
import { DESTINATION_SETTINGS } from '../../../../exits/mllp/settings/hl7-destination.js';
import { OUTBOUND_STATES } from '../../../../exits/mllp/outbox/outbound-message.js';

export const LARGEST_PAGE = 1000;
const DEFAULT_PAGE = 100;
/** The most text that an admin request may carry. */
const LONGEST_DRY_RUN = 200_000;

const owner = { organizationId: z.uuid(), environment: z.enum(ENVIRONMENTS), name: plainText(100) };

export const NEW_LISTENER = z.strictObject({ ...owner, settings: LISTENER_SETTINGS });
export const NEW_DESTINATION = z.strictObject({ ...owner, settings: DESTINATION_SETTINGS });
/** A merge patch (RFC 7396): absent fields stay, null restores the default of a setting. */
const change = {
  name: plainText(100).optional(),
  settings: z.record(z.string().min(1).max(64), z.unknown()).optional(),
  enabled: z.boolean().optional(),
};
const isNotEmpty = (input: object): boolean => Object.keys(input).length > 0;
export const LISTENER_CHANGE = z.strictObject(change).refine(isNotEmpty, { error: 'must name what changes' });
export const DESTINATION_CHANGE = z.strictObject(change).refine(isNotEmpty, { error: 'must name what changes' });

/** The fate of a deleted destination's queue. */
export const REMOVAL_QUERY = z
  .strictObject({
    queue: z
      .enum(['park', 'discard', 'move'])
      .optional()
      .describe(
        'park, discard or move: what becomes of the messages that wait or are parked; needed where there are any',
      ),
    to: z.uuid().optional().describe('With queue=move: the destination that they go to'),
  })
  .refine(({ queue, to }) => (queue === 'move') === (to !== undefined), {
    error: 'must name with "to" the destination that the queue is moved to, and only then',
  });
export const MOVE = z.strictObject({ destinationId: z.uuid() });

export const OF_ORGANIZATION = z.strictObject({
  organizationId: z.uuid().optional().describe('Of this organization only'),
});

const page = {
  organizationId: z.uuid().optional().describe('Of this organization only'),
  environment: z.enum(ENVIRONMENTS).optional().describe('test or live'),
  limit: z.coerce.number().int().min(1).max(LARGEST_PAGE).default(DEFAULT_PAGE).describe('1 to 1000, default 100'),
  after: z.uuid().optional().describe('Go on behind the message with this id'),
};

/** RFC 3339 with its offset, or a day in UTC. */
const moment = z
  .string()
  .refine(
    (text) =>
      (/^\d{4}-\d{2}-\d{2}$/.test(text) ||
        /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.test(text)) &&
      !Number.isNaN(Date.parse(text)),
    {
      error: 'must be a moment such as 2026-03-15T09:40:00+01:00, or a day',
    },
  )
  .transform((text) => new Date(text));
/** Search fields of both directions. */
const search = {
  controlId: plainText(255).optional().describe('MSH-10'),
  patient: plainText(255).optional().describe('A number of the patient, as the message has it'),
  order: plainText(255).optional().describe('A number of the order, placer’s or filler’s, as the message has it'),
  error: plainText(255).optional().describe('Words of what is wrong with it, or of what its receiver answered'),
  from: moment.optional().describe('Received, or made, at this moment or later: RFC 3339, or a day'),
  to: moment.optional().describe('Before this moment'),
};
const EITHER_WAY = 'in (default) or out';
const EITHER_STATE = `${INBOUND_STATES.join(', ')}; or ${OUTBOUND_STATES.join(', ')}`;
const inbound = {
  direction: z.literal('in').default('in').describe(EITHER_WAY),
  listenerId: z.uuid().optional().describe('What came in there'),
  type: plainText(20).optional().describe('Message type of what came in, such as ORU^R01'),
  state: z.enum(INBOUND_STATES).optional().describe(EITHER_STATE),
  ...search,
};
const outbound = {
  direction: z.literal('out').describe(EITHER_WAY),
  destinationId: z.uuid().optional().describe('What goes out there'),
  state: z.enum(OUTBOUND_STATES).optional().describe(EITHER_STATE),
  ...search,
};
export const INBOUND_QUERY = z.strictObject({ ...page, ...inbound });
export const OUTBOUND_QUERY = z.strictObject({ ...page, ...outbound });

/** A page of whole messages is smaller, since each is decrypted and written into the audit trail. */
export const LARGEST_EXPORT = 100;
const exportPage = {
  ...page,
  limit: z.coerce.number().int().min(1).max(LARGEST_EXPORT).default(LARGEST_EXPORT).describe('1 to 100, default 100'),
};
export const INBOUND_EXPORT = z.strictObject({ ...exportPage, ...inbound });
export const OUTBOUND_EXPORT = z.strictObject({ ...exportPage, ...outbound });
export const EXPORT_QUERY = z.union([OUTBOUND_EXPORT, INBOUND_EXPORT]);

/** A range has both ends, and one listener or destination. */
export const INBOUND_RANGE = z.strictObject({ ...inbound, listenerId: z.uuid(), from: moment, to: moment });
export const OUTBOUND_RANGE = z.strictObject({ ...outbound, destinationId: z.uuid(), from: moment, to: moment });
export const RANGE = z.union([OUTBOUND_RANGE, INBOUND_RANGE]);

/** Messages that are read once more by today's settings. */
export const REPROCESS = z.strictObject({
  listenerId: z.uuid(),
  from: moment.optional(),
  to: moment.optional(),
  state: z.enum(['processed', 'ignored', 'failed', 'sealed']).optional(),
  type: plainText(20).optional(),
  warned: z.boolean().default(false),
  dryRun: z.boolean().default(false),
  after: z.uuid().optional(),
});
/** The same as sent: moments are texts. */
export const REPROCESS_BODY = z.strictObject({
  listenerId: z.uuid(),
  from: z.string().optional().describe('Received at this moment or later: RFC 3339, or a day'),
  to: z.string().optional().describe('Before this moment'),
  state: z.string().optional().describe('processed, ignored, failed or sealed; absent: any of them'),
  type: z.string().optional().describe('Message type, such as ORU^R01'),
  warned: z.boolean().optional().describe('Only those that were taken with warnings'),
  dryRun: z.boolean().optional().describe('Do nothing, and tell what would be done'),
  after: z.uuid().optional().describe('Go on behind the message with this id'),
});
export const REPROCESS_ONE = z.strictObject({ dryRun: z.boolean().default(false) });

export const MESSAGE_QUERY = z.union([OUTBOUND_QUERY, INBOUND_QUERY]);

export const DRY_RUN = z.strictObject({ listenerId: z.uuid(), message: z.string().min(1).max(LONGEST_DRY_RUN) });

/** The same as sent: moments are texts. */
export const RANGE_BODY = z.strictObject({
  direction: z.enum(['in', 'out']).optional(),
  listenerId: z.uuid().optional(),
  destinationId: z.uuid().optional(),
  from: z.string(),
  to: z.string(),
  state: z.string().optional(),
  type: z.string().optional(),
  patient: z.string().optional(),
  order: z.string().optional(),
  error: z.string().optional(),
  controlId: z.string().optional(),
});

export type RemovalQuery = z.output<typeof REMOVAL_QUERY>;
export type InboundQuery = z.output<typeof INBOUND_QUERY>;
export type OutboundQuery = z.output<typeof OUTBOUND_QUERY>;
export type ExportQuery = z.output<typeof EXPORT_QUERY>;
export type ReprocessQuery = z.output<typeof REPROCESS>;
export type MessageRange = z.output<typeof RANGE>;

/** null: the query makes no choice. */
export function queueChoiceOf({ queue, to }: RemovalQuery): QueueChoice | null {
  if (queue === undefined) return null;
  return queue === 'move' ? { kind: queue, destinationId: to! } : { kind: queue };
}
