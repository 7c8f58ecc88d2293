import { MllpListener } from '../../src/hl7v2/mllp/index.js';
import { EhrSender } from '../peers/mllp-sender.js';
import { fuzzMessages, wireAnswerOf } from '../support/er7-fuzz.js';
import { mutateMessage } from '../support/er7-mutations.js';
import { hl7Sample, hl7SampleNames } from '../support/hl7-inbound.js';
import { Dice } from '../support/mutations.js';

describe('mutated HL7 messages', () => {
  it('are read and answered, or have no header to answer; 1,000 of them', async () => {
    const { outcomes, faults } = await fuzzMessages(1_000, 1);
    expect(faults).toEqual([]);
    expect(outcomes).toMatchObject({ AA: expect.any(Number), AE: expect.any(Number), AR: expect.any(Number), none: expect.any(Number) });
  });

  it('keep no frame behind them from its answer; 300 of them, with whole messages between', async () => {
    const listener = new MllpListener({ host: '127.0.0.1', port: 0, tls: null, maxFrameBytes: 1024 * 1024 }, { onFrame: wireAnswerOf, onOversize: () => Promise.resolve(null) });
    await listener.start();
    const sender = await EhrSender.connect(listener.port);
    const samples = hl7SampleNames().map((name) => hl7Sample(name));
    const marked = (mark: string) => `MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260315||ADT^A60|${mark}|T|2.5.1\r`;
    for (let round = 0; round < 300; round += 1) {
      const dice = new Dice(round);
      sender.send(mutateMessage(dice.pick(samples), dice));
      sender.send(marked(`MARK${round}`));
      let answer: string | null;
      do answer = await sender.nextAnswer();
      while (answer !== null && !answer.includes(`|MARK${round}\r`));
      expect(answer).toContain(`MSA|AA|MARK${round}\r`);
    }
    await sender.destroy();
    await listener.stop();
  });
});
