import { z } from 'zod';
import { EVENT_LOG_DAYS, type EventLogPage, type LoggedEvent } from '../../../core/deliveries/event-log.js';
import { WEBHOOK_EVENT_TYPES } from '../../../core/deliveries/webhook-events.js';
import { invalidInput } from '../../../platform/http/parse-input.js';
import { limitText, listFields } from '../paging/page.js';

export const eventQuerySchema = z.strictObject({
  type: z.enum(WEBHOOK_EVENT_TYPES).optional().describe('Only events of this type.'),
  since: z.iso
    .datetime({ offset: true, error: 'must be an RFC 3339 timestamp with an offset, such as 2026-03-15T08:30:00Z' })
    .optional()
    .describe(
      `Only events that came into the log then or later, by recordedAt; RFC 3339 with an offset. Default: all of the ${EVENT_LOG_DAYS} days.`,
    ),
  limit: limitText.optional().describe('Most events on the page.'),
  cursor: z.string().optional().describe('The nextCursor of the page before, with the same filters.'),
});
export type EventQuery = z.output<typeof eventQuerySchema>;

const loggedEventSchema = z
  .looseObject({
    id: z.string().describe('As in webhook-id: drop what you have had from a webhook.'),
    type: z.enum(WEBHOOK_EVENT_TYPES).describe('More may come.'),
    timestamp: z.iso.datetime().describe('Of the event, as in the body of a webhook.'),
    recordedAt: z.iso.datetime().describe('When it came into the log: rises along the list.'),
    data: z
      .looseObject({})
      .describe(
        'As in the body of a webhook with the content "ids" (its schema: webhooks), without sequence, which counts the events of one webhook.',
      ),
  })
  .meta({ id: 'LoggedEvent', description: 'Something that happened, as webhooks tell it.' });

export const eventListSchema = z
  .looseObject({
    ...listFields(loggedEventSchema, 'In the order in which they came into the log, oldest first.'),
    resumeCursor: z
      .string()
      .describe(
        'Where to go on: the nextCursor while there is one, then a cursor behind all that the log has. With it nothing comes twice, and nothing that comes into the log is missed, also after the service was restored from a back-up; what was lost with the time since that back-up is not told, and what is done again then may come again, with the id that it had.',
      ),
    keptSince: z.iso
      .datetime()
      .describe(
        'The log has what happened from then on, but what was erased. A later moment than your since: there may be more that you missed.',
      ),
  })
  .meta({ id: 'EventList', description: `What happened in the last ${EVENT_LOG_DAYS} days, oldest first.` });

export const EVENT_LOG_SCHEMAS: readonly z.ZodType[] = [loggedEventSchema, eventListSchema];

const CURSOR = /^e1\.(\d{1,16})$/;

/** A place in the log as opaque text. It is no secret and grants nothing: every page is read with the caller's own rights. */
function toEventCursor(number: number): string {
  return Buffer.from(`e1.${number}`, 'latin1').toString('base64url');
}

/** `request.invalid` for what `toEventCursor` did not make. */
export function fromEventCursor(text: string): number {
  const number = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1'))?.[1];
  if (number === undefined) throw invalidInput('/query/cursor', 'is not a cursor of this service');
  return Number(number);
}

function toEventView(event: LoggedEvent): z.output<typeof loggedEventSchema> {
  const { id, type, timestamp, recordedAt, data } = event;
  return { id, type, timestamp: timestamp.toISOString(), recordedAt: recordedAt.toISOString(), data };
}

export function toEventList({
  events,
  hasMore,
  lastNumber,
  keptSince,
}: EventLogPage): z.output<typeof eventListSchema> {
  const last = events.at(-1)?.number ?? 0;
  const next = hasMore ? toEventCursor(last) : null;
  return {
    items: events.map(toEventView),
    nextCursor: next,
    resumeCursor: next ?? toEventCursor(Math.max(last, lastNumber)),
    keptSince: keptSince.toISOString(),
  };
}
