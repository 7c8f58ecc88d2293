import { MllpListener } from '../../src/standards/hl7v2/mllp/mllp-listener.js';
import { frame } from '../peers/mllp-frames.js';
import { EhrSender } from '../peers/mllp-sender.js';
import { mutatedSample, readMutatedMessages } from '../support/er7-fuzz.js';
import { Dice } from '../support/mutations.js';
import { eachSeed, seedsOf } from '../support/rounds.js';

describe('mutated messages', () => {
  it('are read as far as they can be, and make no reader throw', async () => {
    const seeds = seedsOf('er7-fuzz', 1_000);
    const counts = await readMutatedMessages(seeds);
    expect(Math.min(counts.messages, counts.headersOnly, counts.nothing)).toBeGreaterThan(seeds.length / 50);
  });

  it('keep no frame behind them from its answer, whatever of VT and FS they hold', async () => {
    const answered: string[] = [];
    const onFrame = (bytes: Uint8Array): Promise<Uint8Array> =>
      Promise.resolve(
        (answered.push(Buffer.from(bytes).toString('latin1').slice(0, 12)), Buffer.from(bytes.subarray(0, 12))),
      );
    const listener = new MllpListener(
      { host: '127.0.0.1', port: 0, tls: null, maxFrameBytes: 1024 * 1024 },
      { onFrame, onOversize: () => Promise.resolve(null) },
    );
    await listener.start();
    const sender = await EhrSender.connect(listener.port);
    const seeds = seedsOf('mllp-fuzz', 300, 0);
    await eachSeed('mllp-fuzz', seeds, async (seed) => {
      const stream = Buffer.concat([frame(mutatedSample(seed)), frame(`MARK ${seed}.`)]);
      const dice = new Dice(seed);
      for (let at = 0, size = 0; at < stream.length; at += size)
        sender.write(stream.subarray(at, at + (size = 1 + dice.below(2_000))));
      let answer: string | null;
      do answer = await sender.nextAnswer();
      while (answer !== null && !answer.startsWith('MARK'));
      expect(answer).toBe(`MARK ${seed}.`);
    });
    expect(answered.filter((message) => message.startsWith('MARK'))).toHaveLength(seeds.length);
    await sender.destroy();
    await listener.stop();
  });

  it('200 whole frames cut anywhere, within characters, too, arrive once and in order over a socket [F16]', async () => {
    const received: string[] = [];
    const onFrame = (bytes: Uint8Array): Promise<Uint8Array> =>
      Promise.resolve((received.push(Buffer.from(bytes).toString('utf8')), Buffer.from('answer')));
    const listener = new MllpListener(
      { host: '127.0.0.1', port: 0, tls: null, maxFrameBytes: 1024 * 1024 },
      { onFrame, onOversize: () => Promise.resolve(null) },
    );
    await listener.start();
    const sender = await EhrSender.connect(listener.port);
    const dice = new Dice(14);
    const messages = Array.from(
      { length: 200 },
      (_, place) => `MSH|^~\\&|${place}|${'傷口ü😀'.repeat(dice.below(400))}\r`,
    );
    const stream = Buffer.concat(messages.map(frame));
    for (let at = 0, size = 0; at < stream.length; at += size)
      sender.write(stream.subarray(at, at + (size = 1 + dice.below(dice.below(3) === 0 ? 5 : 4_000))));
    await sender.waitForAnswers(200);
    expect(received).toEqual(messages);
    await sender.destroy();
    await listener.stop();
  });
});
