import { DOMAIN_EVENT_KINDS, type DeliveredEvent } from '../../src/core/domain-events/domain-event.js';
import type { Outbox } from '../../src/core/domain-events/outbox.js';

const HANDLER = 'test';
const ROUTES = Object.fromEntries(DOMAIN_EVENT_KINDS.map((kind) => [kind, [HANDLER]]));

/** Takes the events that are due out of the outbox as its only handler would, oldest first. */
export async function takeEvents(outbox: Outbox, limit = 1000): Promise<DeliveredEvent[]> {
  await outbox.fanOut(ROUTES, limit);
  const events = await outbox.takeDue(HANDLER, limit);
  await outbox.markHandled(events.map(({ id: eventId }) => ({ handler: HANDLER, eventId })));
  return events;
}
