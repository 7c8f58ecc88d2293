import { fuzzMessages } from '../../support/hl7-fuzz.js';
import { seedsOf } from '../../support/rounds.js';

it('fifty thousand spoiled HL7 v2 messages each have an answer, and what is refused changes nothing', async () => {
  const seeds = seedsOf('hl7-fuzz', 5_000, 8);
  const counts = await fuzzMessages(seeds);
  expect(counts.undecodable + counts.refused + counts.planned).toBe(seeds.length);
}, 1_800_000);
