import { seedsOf } from '../../../../test/support/rounds.js';
import { encodeFrame, FrameDecoder, type FrameEvent } from './frame-decoder.js';

const LIMITS = { maxFrameBytes: 1000, maxJunkBytes: 100 };

describe('frames out of bytes', () => {
  it.each<[string, string, object[]]>([
    ['bytes before a frame', 'junk\x0bA\x1c\r', [{ kind: 'junk', sizeBytes: 4 }, { kind: 'frame' }]],
    [
      'bytes between frames',
      '\x0bA\x1c\rjunk\r\x0bB\x1c\r',
      [{ kind: 'frame' }, { kind: 'junk', sizeBytes: 5 }, { kind: 'frame' }],
    ],
    [
      'a frame that another one cuts off',
      '\x0bhalf\x0bB\x1c\r',
      [{ kind: 'discarded', sizeBytes: 4 }, { kind: 'frame' }],
    ],
    ['line ends between frames', '\r\n\x0bA\x1c\r\n\r\n\x0bB\x1c\n', [{ kind: 'frame' }, { kind: 'frame' }]],
    ['a frame without its last CR', '\x0bA\x1c\x0bB\x1c', [{ kind: 'frame' }, { kind: 'frame' }]],
    ['an empty frame', '\x0b\x1c\r', [{ kind: 'frame' }]],
  ])('takes %s for what they are, however they arrive', (_name, stream, expected) => {
    for (const size of [1, 2, 3, stream.length]) expect(decode(stream, size)).toMatchObject(expected);
  });

  it('ends at more bytes outside of frames than may be', () => {
    const decoder = new FrameDecoder(LIMITS);
    expect(decoder.push(Buffer.alloc(100, 'x'))).toEqual([]);
    expect(decoder.push(Buffer.from('x\x0bA\x1c\r'))).toEqual([{ kind: 'flooded' }]);
    expect(decoder.push(encodeFrame(Buffer.from('B')))).toEqual([]);
  });

  it('ends at a frame over the limit and gives its beginning', () => {
    const decoder = new FrameDecoder(LIMITS);
    const events = [Buffer.from('\x0bMSH|'), Buffer.alloc(995, 'a'), Buffer.from('bc')].flatMap((chunk) =>
      decoder.push(chunk),
    );
    expect(events).toEqual([{ kind: 'oversize', beginning: Buffer.from(`MSH|${'a'.repeat(995)}bc`) }]);
    expect([decoder.isInFrame, decoder.push(encodeFrame(Buffer.from('B')))]).toEqual([false, []]);
  });

  it('takes a frame of exactly the limit', () => {
    expect(decode(`\x0b${'a'.repeat(1000)}\x1c\r`, 7)).toEqual([{ kind: 'frame', bytes: Buffer.alloc(1000, 'a') }]);
  });

  it('knows when it is within a frame', () => {
    const decoder = new FrameDecoder(LIMITS);
    const states = ['x', '\x0bA', 'B', '\x1c', '\r'].map(
      (piece) => (decoder.push(Buffer.from(piece)), decoder.isInFrame),
    );
    expect(states).toEqual([false, true, true, false, false]);
  });

  it.each(seedsOf('frame-decoder', 25))(
    'gives 200 frames once and in order, cut anywhere, within characters, too (seed %i)',
    (seed) => {
      const random = randomOf(seed);
      const messages = Array.from({ length: 200 }, (_, place) =>
        Buffer.from(`MSH|^~\\&|${place}|${'傷口ü😀'.repeat(random(40))}\r`),
      );
      const stream = Buffer.concat(messages.map(encodeFrame));
      const decoder = new FrameDecoder({ maxFrameBytes: 10_000, maxJunkBytes: 100 });
      const frames: FrameEvent[] = [];
      for (let at = 0; at < stream.length;) {
        const size = 1 + random(random(4) === 0 ? 3 : 900);
        frames.push(...decoder.push(stream.subarray(at, at + size)));
        at += size;
      }
      expect(frames).toEqual(messages.map((bytes) => ({ kind: 'frame', bytes })));
    },
  );
});

function decode(stream: string, chunkSize: number): FrameEvent[] {
  const bytes = Buffer.from(stream, 'latin1');
  const decoder = new FrameDecoder(LIMITS);
  return Array.from({ length: Math.ceil(bytes.length / chunkSize) }, (_, place) =>
    bytes.subarray(place * chunkSize, (place + 1) * chunkSize),
  ).flatMap((chunk) => decoder.push(chunk));
}

function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => (state = (state * 48_271) % 2_147_483_647) % below;
}
