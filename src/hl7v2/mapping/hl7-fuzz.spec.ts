import { fuzzMessages } from '../../../test/support/hl7-fuzz.js';

it('a thousand spoiled messages each have an answer, and what is refused changes nothing', async () => {
  const counts = await fuzzMessages(20_260_315, 1000);
  expect(Math.min(counts.undecodable, counts.refused, counts.planned)).toBeGreaterThan(20);
});
