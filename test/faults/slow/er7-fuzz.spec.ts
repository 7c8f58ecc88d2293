import { readMutatedMessages } from '../../support/er7-fuzz.js';

const ROUNDS = 50_000;
const STEP = 5_000;

describe('fifty thousand mutated messages', () => {
  it.each(Array.from({ length: ROUNDS / STEP }, (_, step) => 1_000_000 + step * STEP))(
    'make no reader throw, from seed %i on',
    (seed) => {
      expect(readMutatedMessages(STEP, seed).messages).toBeGreaterThan(STEP / 4);
    },
  );
});
