import { PassThrough } from 'node:stream';
import { Logger } from '../../../platform/logging/logger.js';
import { Outage } from './outage.js';

describe('a destination that is silent', () => {
  it('says why, calls the operator after a quarter of an hour and again after each, and says when the reason is another', () => {
    const lines = new PassThrough();
    let now = 1000;
    const outage = new Outage('d1', 15 * 60_000, Logger.create('info', lines), () => now);
    for (let minute = 0; minute <= 32; minute += 1) {
      outage.note(minute < 20 ? 'timeout' : 'unreachable ECONNREFUSED');
      now += 60_000;
    }
    outage.note(null);
    outage.note(null);
    const said = (lines.read() as Buffer)
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; level: number; silentS: number; fault?: string });
    expect(said.map(({ event, level, silentS, fault }) => [event, level, silentS, fault])).toEqual([
      ['hl7.destination_silent', 40, 0, 'timeout'],
      ['hl7.destination_silent', 50, 900, 'timeout'],
      ['hl7.destination_silent', 40, 1200, 'unreachable ECONNREFUSED'],
      ['hl7.destination_silent', 50, 1800, 'unreachable ECONNREFUSED'],
      ['hl7.destination_answers_again', 30, 1980, undefined],
    ]);
  });
});
