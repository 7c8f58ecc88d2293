import { OutageWatch } from './outage-watch.js';

describe('an endpoint that is silent', () => {
  it('says why, calls the operator after a quarter of an hour and again after each, and says when the reason is another', () => {
    const said: unknown[] = [];
    let now = 1000;
    const watch = new OutageWatch(
      15 * 60_000,
      {
        silent: ({ silentS, fault, isAlarm }) => said.push([isAlarm ? 'alarm' : 'silent', silentS, fault]),
        answersAgain: ({ silentS }) => said.push(['answers again', silentS]),
      },
      () => now,
    );
    for (let minute = 0; minute <= 32; minute += 1) {
      watch.note(minute < 20 ? 'timeout' : 'unreachable ECONNREFUSED');
      now += 60_000;
    }
    watch.note(null);
    watch.note(null);
    expect(said).toEqual([
      ['silent', 0, 'timeout'],
      ['alarm', 900, 'timeout'],
      ['silent', 1200, 'unreachable ECONNREFUSED'],
      ['alarm', 1800, 'unreachable ECONNREFUSED'],
      ['answers again', 1980],
    ]);
  });
});
