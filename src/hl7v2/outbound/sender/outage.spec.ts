import { PassThrough } from 'node:stream';
import { Logger } from '../../../platform/logging/logger.js';
import { Outage } from './outage.js';

describe('a destination that is silent', () => {
  it('calls the operator after a quarter of an hour, and again after each', () => {
    const lines = new PassThrough();
    let now = 1000;
    const outage = new Outage('d1', 15 * 60_000, Logger.create('info', lines), () => now);
    for (let minute = 0; minute <= 32; minute += 1) {
      outage.note(true);
      now += 60_000;
    }
    outage.note(false);
    outage.note(false);
    const said = (lines.read() as Buffer).toString().trim().split('\n').map((line) => JSON.parse(line) as { event: string; level: number; silentS: number });
    expect(said.map(({ event, level, silentS }) => [event, level, silentS])).toEqual([
      ['hl7.destination_silent', 40, 0],
      ['hl7.destination_silent', 50, 900],
      ['hl7.destination_silent', 50, 1800],
      ['hl7.destination_answers_again', 30, 1980],
    ]);
  });
});
