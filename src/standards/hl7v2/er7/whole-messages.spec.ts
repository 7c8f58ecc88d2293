import { splitBatch } from './batch.js';
import { contentDigest } from './content-digest.js';
import { peekHeader } from './message-header.js';

const message = (sentAt: string, text = 'a', end = '\r') =>
  Buffer.from(
    ['MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|' + sentAt + '||ORU^R01|MSG1|T|2.5.1', `NTE|1||${text}`, ''].join(end),
  );

describe('the digest of a message', () => {
  it('differs where anything but MSH-7 does', () => {
    const digest = contentDigest(message('20260315'));
    for (const other of [
      message('20260315', 'b'),
      message('20260315', 'a', '\n'),
      Buffer.from('MSH|^~\\&|'),
      Buffer.from('no message'),
      Buffer.alloc(0),
    ]) {
      expect(contentDigest(other)).not.toEqual(digest);
    }
    expect(contentDigest(Buffer.from('MSH|^~\\&|a||||1|b'))).not.toEqual(
      contentDigest(Buffer.from('MSH|^~\\&|b||||1|a')),
    );
  });

  it('is the same whenever it was sent', () => {
    expect(contentDigest(message('20260316120000+0100'))).toEqual(contentDigest(message('')));
    expect(contentDigest(Buffer.from('MSH|^~\\&|E||||2026'))).toEqual(contentDigest(Buffer.from('MSH|^~\\&|E||||')));
  });
});

describe('a batch', () => {
  it.each([
    ['a single message', message('1')],
    ['nothing', Buffer.alloc(0)],
    ['a text', Buffer.from('BHSX|a')],
  ])('is not %s', (_name, bytes) => expect(splitBatch(bytes)).toBeNull());

  it('of more messages than a batch may have gives none of them, nor do lines that only look like its own take long', () => {
    const began = process.cpuUsage();
    expect(splitBatch(Buffer.from(`BHS|^~\\&\r${'MSH|\r'.repeat(2_000_000)}`))).toEqual({
      messages: [],
      isTooLong: true,
      declaredCount: null,
    });
    expect(splitBatch(Buffer.from(`BHS|^~\\&\r${'BxS\r'.repeat(2_000_000)}`))).toMatchObject({
      messages: [],
      isTooLong: false,
    });
    // Of processor time: a busy machine stretches the wall clock.
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1000).toBeLessThan(2000);
    expect(splitBatch(Buffer.from(`BHS|^~\\&\r${'MSH|\r'.repeat(10_000)}BTS|10000`))).toMatchObject({
      messages: { length: 10_000 },
      declaredCount: 10_000,
    });
  });

  it('gives its messages as they came in, and the count that it states', () => {
    const first = message('1', 'see BTS|9 and MSH');
    const second = message('2');
    const batch = splitBatch(
      Buffer.concat([Buffer.from('\r\nFHS|^~\\&|E\rBHS|^~\\&|E\r'), first, second, Buffer.from('BTS|2|fine\rFTS|1\r')]),
    );
    expect(batch?.messages.map((bytes) => Buffer.from(bytes))).toEqual([first, second]);
    expect(batch?.declaredCount).toBe(2);
    expect(peekHeader(batch?.messages[1] ?? Buffer.alloc(0))?.header.sentAt).toBe('2');
  });

  it('sums the counts of several, and knows where none is stated', () => {
    const batches = (trailer: string) =>
      Buffer.concat(
        ['1', '2'].flatMap((sentAt) => [
          Buffer.from('BHS|^~\\&\n'),
          message(sentAt, 'a', '\n'),
          Buffer.from(`${trailer}\n`),
        ]),
      );
    expect(splitBatch(batches('BTS|1'))).toMatchObject({ declaredCount: 2 });
    expect(splitBatch(batches('BTS'))).toMatchObject({ declaredCount: null });
    expect(splitBatch(Buffer.from('BHS|^~\\&\rBTS|0'))).toEqual({ messages: [], isTooLong: false, declaredCount: 0 });
  });
});
