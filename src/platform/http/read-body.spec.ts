import { PassThrough } from 'node:stream';
import { readBody } from './read-body.js';

const limits = { limitBytes: 10, timeoutMs: 10_000 };

describe('reading a body', () => {
  it('refuses what is announced over the limit without reading it', async () => {
    const stream = new PassThrough();
    await expect(readBody(stream, { ...limits, announcedBytes: 11 })).rejects.toMatchObject({
      code: 'request.too_large',
    });
    expect(stream.listenerCount('data')).toBe(0);
  });

  it('stops at the limit where nothing was announced', async () => {
    const stream = new PassThrough();
    stream.write('12345678901');
    await expect(readBody(stream, limits)).rejects.toMatchObject({ code: 'request.too_large' });
  });

  it('refuses a sender that is too slow', async () => {
    const stream = new PassThrough();
    stream.write('123');
    await expect(readBody(stream, { ...limits, timeoutMs: 5 })).rejects.toMatchObject({ code: 'request.timeout' });
  });

  it('refuses a body that breaks off or is shorter than announced', async () => {
    const broken = new PassThrough();
    const reading = readBody(broken, limits);
    broken.destroy(new Error('aborted'));
    await expect(reading).rejects.toMatchObject({ code: 'request.invalid' });
    await expect(readBody(new PassThrough().end('123'), { ...limits, announcedBytes: 4 })).rejects.toMatchObject({
      code: 'request.invalid',
    });
  });

  it('refuses a large body that is shorter than announced, and reads one that is not', async () => {
    const large = Buffer.alloc(3 * 1024 * 1024, 'sutura');
    const limit = { limitBytes: 4 * 1024 * 1024, timeoutMs: 10_000 };
    const sent = (bytes: Buffer, announcedBytes: number) =>
      readBody(new PassThrough().end(bytes), { ...limit, announcedBytes });
    await expect(sent(large, large.length + 1)).rejects.toMatchObject({ code: 'request.invalid' });
    await expect(sent(large, large.length - 1)).rejects.toMatchObject({ code: 'request.invalid' });
    expect((await sent(large, large.length)).equals(large)).toBe(true);
  });

  it('reads to the end', async () => {
    const stream = new PassThrough();
    stream.write('12345');
    stream.end('67890');
    expect((await readBody(stream, { ...limits, announcedBytes: 10 })).toString()).toBe('1234567890');
  });
});
