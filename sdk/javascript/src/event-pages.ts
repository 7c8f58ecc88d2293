import type { Connection } from './connection.js';
import type { EventPage, ListEventsOptions } from './event-log.js';
import { withQuery } from './fields.js';

export function listEvents(connection: Connection, { signal, ...filter }: ListEventsOptions): Promise<EventPage> {
  return connection.send(
    { method: 'GET', path: withQuery('/api/v1/events', filter), signal },
    connection.json<EventPage>(({ items, keptSince }) => Array.isArray(items) && typeof keptSince === 'string'),
  );
}
