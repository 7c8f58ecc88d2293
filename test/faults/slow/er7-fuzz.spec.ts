import { readMutatedMessages } from '../../support/er7-fuzz.js';
import { seedsOf } from '../../support/rounds.js';

const STEPS = 10;

describe('fifty thousand mutated messages', () => {
  it.each(Array.from({ length: STEPS }, (_, step) => 1_000_000 + step * 5_000))(
    'make no reader throw, from seed %i on',
    async (first) => {
      const seeds = seedsOf('er7-fuzz', 500, first);
      expect((await readMutatedMessages(seeds)).messages).toBeGreaterThan(seeds.length / 4);
    },
  );
});
