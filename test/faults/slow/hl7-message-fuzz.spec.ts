import { fuzzMessages } from '../../support/er7-fuzz.js';

const ROUNDS = 50_000;
const STEP = 5_000;

describe('fifty thousand mutated HL7 messages', () => {
  it.each(Array.from({ length: ROUNDS / STEP }, (_, step) => 1_000_000 + step * STEP))('from seed %i on are read and answered, or have no header to answer', async (seed) => {
    const { outcomes, faults } = await fuzzMessages(STEP, seed);
    expect(faults).toEqual([]);
    expect(outcomes['AA']).toBeGreaterThan(STEP / 50);
  });
});
