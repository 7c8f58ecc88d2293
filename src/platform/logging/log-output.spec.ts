import { LogOutput } from './log-output.js';

function refusal(code: string): Error {
  return Object.assign(new Error(code), { code });
}

describe('the output of the log', () => {
  it('ends with its reader, and is no fault of the process', () => {
    let tries = 0;
    const output = new LogOutput(() => {
      tries += 1;
      throw refusal('EPIPE');
    });
    output.write('{"event":"a"}\n');
    output.write('{"event":"b"}\n');
    expect(tries).toBe(1);
  });

  it('drops lines that its reader has no room for, holds nobody up for longer than a second, and says how many were lost', () => {
    let full = true;
    let received = '';
    const output = new LogOutput((bytes) => {
      if (full) throw refusal('EAGAIN');
      received += Buffer.from(bytes).toString();
      return bytes.length;
    });
    const begun = performance.now();
    for (const event of ['a', 'b', 'c']) output.write(`{"event":"${event}"}\n`);
    // Were each line waited for, it would be three seconds.
    // eslint-disable-next-line no-restricted-syntax -- it is the wall's clock that the output waits by
    expect(performance.now() - begun).toBeLessThan(2900);
    full = false;
    output.write('{"event":"d"}\n');
    const lines = received
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; lines?: number });
    expect(lines.map(({ event, lines: lost }) => [event, lost])).toEqual([
      ['a', undefined],
      ['log.lines_dropped', 2],
      ['d', undefined],
    ]);
  });

  it('writes what is longer than the reader’s room piece by piece, in order and whole', () => {
    let received = '';
    let turn = 0;
    const output = new LogOutput((bytes) => {
      turn += 1;
      if (turn % 2 === 0) throw refusal('EAGAIN');
      received += Buffer.from(bytes.subarray(0, 7)).toString('latin1');
      return Math.min(7, bytes.length);
    });
    output.write(`{"event":"${'x'.repeat(40)}"}\n`);
    output.write('{"event":"b"}\n');
    expect(received).toBe(`{"event":"${'x'.repeat(40)}"}\n{"event":"b"}\n`);
  });

  it('gathers lines that may wait into one write, which leaves before any other line', () => {
    const writes: string[] = [];
    const output = new LogOutput((bytes) => {
      writes.push(Buffer.from(bytes).toString());
      return bytes.length;
    });
    output.writeSoon('{"event":"a"}\n');
    output.writeSoon('{"event":"b"}\n');
    expect(writes).toEqual([]);
    output.write('{"event":"c"}\n');
    expect(writes).toEqual(['{"event":"a"}\n{"event":"b"}\n', '{"event":"c"}\n']);
  });

  it('lets what was gathered leave at once when it is much, and when the process ends', () => {
    let received = '';
    const output = new LogOutput((bytes) => {
      received += Buffer.from(bytes).toString();
      return bytes.length;
    });
    const long = `{"event":"${'x'.repeat(20_000)}"}\n`;
    output.writeSoon(long);
    expect(received).toBe(long);
    output.writeSoon('{"event":"last"}\n');
    output.flush();
    expect(received).toBe(`${long}{"event":"last"}\n`);
  });
});
