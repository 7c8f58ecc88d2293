import { merged } from './merged-events.js';

const event = (at: string, what: string) => ({ at, what, resources: [], facts: {}, next: null });

it('the events of several photos are one list by time, and what both tell is told once', () => {
  const message = event('2026-01-05T08:30:00.000Z', 'hl7.received');
  const [early, late] = [
    event('2026-01-05T08:29:00.000Z', 'order.received'),
    event('2026-01-05T08:31:00.000Z', 'job.completed'),
  ];
  expect(merged([])).toEqual([]);
  expect(merged([{ events: [message, late] }, { events: [early, { ...message }] }])).toEqual([early, message, late]);
});
