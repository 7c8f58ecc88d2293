import { fuzzMessages } from '../../support/hl7-fuzz.js';

const ROUNDS = 50_000;

it('fifty thousand spoiled HL7 v2 messages each have an answer, and what is refused changes nothing', async () => {
  const counts = await fuzzMessages(8, ROUNDS);
  expect(counts.undecodable + counts.refused + counts.planned).toBe(ROUNDS);
}, 1_800_000);
