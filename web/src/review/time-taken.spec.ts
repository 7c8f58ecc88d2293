import { dayNamed, dayTaken, timeTaken } from './time-taken.js';

const capturedAt = '2026-11-27T00:00:00.000Z';

it.each([
  ['2026-11-27', '27/11/2026'],
  ['2026-11', 'November 2026'],
  ['2026', '2026'],
])('%s is shown as %s, with no hour that nobody stated', (capturedAsStated, text) => {
  const taken = { capturedAt, capturedAsStated };
  expect([timeTaken(taken, 'en-GB'), dayTaken(taken, 'en-GB')]).toEqual([text, text]);
});

it.each(['2026-11-27T01:00:00+01:00', undefined])(
  'a moment (%s) is shown by the clocks of the browser',
  (capturedAsStated) => {
    expect(timeTaken({ capturedAt, capturedAsStated }, 'en-GB')).toBe(new Date(capturedAt).toLocaleString('en-GB'));
  },
);

it.each([
  ['2026-11-27', '27 Nov 2026'],
  ['2026-11', 'November 2026'],
  ['2026', '2026'],
])('%s is named %s, so that no day is taken for a month', (capturedAsStated, text) => {
  expect(dayNamed({ capturedAt, capturedAsStated }, 'en-GB')).toBe(text);
});
