import { Lanes } from './lanes.js';

describe('Lanes', () => {
  it('runs no more at once than there are, and all in the end, whatever fails', async () => {
    const lanes = new Lanes(2);
    let [running, most] = [0, 0];
    const work = async (place: number): Promise<number> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (place % 3 === 0) throw new Error('No.');
      return place;
    };
    const settled = await Promise.allSettled(Array.from({ length: 10 }, (_, place) => lanes.run(() => work(place))));
    expect(settled.map(({ status }) => status === 'fulfilled')).toEqual(
      Array.from({ length: 10 }, (_, place) => place % 3 !== 0),
    );
    expect(most).toBe(2);
    expect(await lanes.run(() => Promise.resolve('free'))).toBe('free');
  });
});
