import type { EventLog, EventLogPage, EventLogQuery } from '../../../core/deliveries/event-log.js';
import { EventWaiter } from './event-waiter.js';

const TENANT = { organizationId: 'O', environment: 'test' } as const;
const QUERY: EventLogQuery = { type: null, since: null, after: 3, limit: 20 };
const emptyUpTo = (lastNumber: number): EventLogPage => ({
  events: [],
  hasMore: false,
  lastNumber,
  keptSince: new Date(0),
  patientIds: [],
});
// A waiter asks a log for nothing but pages.
const waiterOn = (read: () => EventLogPage): EventWaiter =>
  new EventWaiter({ read: () => Promise.resolve(read()) } as unknown as EventLog);
const NEVER = new AbortController().signal;

describe('a reader of the log', () => {
  it('is not held beyond what the log has', async () => {
    expect(await waiterOn(() => emptyUpTo(2)).read(TENANT, QUERY, 600_000, NEVER)).toEqual(emptyUpTo(2));
  });

  it('is held until somebody goes away or the service stops, and finds room while there are fewer than twenty of its tenant', async () => {
    const waiter = waiterOn(() => emptyUpTo(3));
    const gone = new AbortController();
    const held = Array.from({ length: 20 }, () => waiter.read(TENANT, QUERY, 600_000, gone.signal));
    expect(waiter.hasRoom(TENANT)).toBe(false);
    expect(waiter.hasRoom({ ...TENANT, environment: 'live' })).toBe(true);
    gone.abort();
    await Promise.all(held);
    expect(waiter.hasRoom(TENANT)).toBe(true);
    const last = waiter.read(TENANT, QUERY, 600_000, NEVER);
    waiter.onModuleDestroy();
    expect(await last).toEqual(emptyUpTo(3));
  });

  it('is answered as soon as there is an event', async () => {
    let looks = 0;
    const event = { number: 4 } as EventLogPage['events'][number];
    const waiter = waiterOn(() => ((looks += 1) < 2 ? emptyUpTo(3) : { ...emptyUpTo(4), events: [event] }));
    expect((await waiter.read(TENANT, QUERY, 600_000, NEVER)).events).toEqual([event]);
    expect(looks).toBe(2);
  });
});
