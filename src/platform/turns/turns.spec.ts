import { setImmediate as nextIteration } from 'node:timers/promises';
import { decodingBase64 } from './base64.js';
import { atOnce, inTurns, ownTurn, type Paced } from './turns.js';

/** Work of so many steps that each take a turn. */
function* steps(count: number, take: () => void): Paced<number> {
  for (let step = 0; step < count; step += 1) {
    take();
    const end = performance.now() + 10;
    while (performance.now() < end) Math.sqrt(end);
    yield;
  }
  return count;
}

describe('turns', () => {
  it('let others go on between the pieces of one work', async () => {
    let others = 0;
    const seen: number[] = [];
    const work = inTurns(steps(5, () => seen.push(others)));
    for (let round = 0; round < 5; round += 1) {
      await nextIteration();
      others += 1;
    }
    expect(await work).toBe(5);
    expect(new Set(seen).size).toBeGreaterThan(1);
  });

  it('are of one work each, however many wait', async () => {
    let iteration = 0;
    const turns: number[] = [];
    const counted = (async () => {
      for (; turns.length < 6; iteration += 1) await nextIteration();
    })();
    await Promise.all(Array.from({ length: 6 }, () => ownTurn().then(() => turns.push(iteration))));
    await counted;
    expect(new Set(turns).size).toBe(6);
  });

  it('tell a fault to who waits for the work, and leave the others theirs', async () => {
    function* failing(): Paced<void> {
      yield;
      throw new Error('broken');
    }
    await expect(inTurns(failing())).rejects.toThrow('broken');
    expect(await inTurns(steps(1, () => undefined))).toBe(1);
  });

  it('make no difference to what comes out', async () => {
    const text = Buffer.alloc(2_000_000, 'wound').toString('base64');
    expect((await inTurns(decodingBase64(text)))?.equals(atOnce(decodingBase64(text))!)).toBe(true);
  });
});
