import { fuzzMessages } from '../../../../test/support/hl7-fuzz.js';
import { seedsOf } from '../../../../test/support/rounds.js';

it('spoiled messages each have an answer, and what is refused changes nothing', async () => {
  const seeds = seedsOf('hl7-fuzz', 1_000, 20_260_315);
  const counts = await fuzzMessages(seeds);
  expect(Math.min(counts.undecodable, counts.refused, counts.planned)).toBeGreaterThan(seeds.length / 50);
});
