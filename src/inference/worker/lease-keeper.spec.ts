/** @jest-environment node */
import { LeaseKeeper } from './lease-keeper.js';

const LEASE = { jobId: 'job', token: 'token' };
const LEASE_S = 6;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function keeperThat(renew: () => Promise<boolean>) {
  const asked: number[] = [];
  const keeper = new LeaseKeeper({ renew: (_lease, leaseS) => (asked.push(leaseS), renew()) }, LEASE_S);
  return { keeper, asked };
}

describe('LeaseKeeper', () => {
  it('raises the signal when the lease belongs to another worker', async () => {
    const { keeper } = keeperThat(() => Promise.resolve(false));
    const held = keeper.hold(LEASE);
    await jest.advanceTimersByTimeAsync(1000);
    expect([held.lost, held.signal.aborted, held.wasUnreachable]).toEqual([true, true, false]);
    held.stop();
  });

  it('says of a lease that was lost after the database was away that nobody could be reached, and not once it was renewed', async () => {
    const answers = ['away', 'renewed', 'away', 'lost'];
    const { keeper } = keeperThat(() => {
      const answer = answers.shift();
      return answer === 'away' ? Promise.reject(new Error('database away')) : Promise.resolve(answer === 'renewed');
    });
    const held = keeper.hold(LEASE);
    const seen: boolean[] = [];
    for (let renewal = 0; renewal < 4; renewal += 1) {
      await jest.advanceTimersByTimeAsync(1000);
      seen.push(held.wasUnreachable);
    }
    expect([held.lost, seen]).toEqual([true, [true, false, true, true]]);
    held.stop();
  });

  it('outlasts failing renewals until the lease itself is over', async () => {
    const { keeper } = keeperThat(() => Promise.reject(new Error('database away')));
    const held = keeper.hold(LEASE);
    await jest.advanceTimersByTimeAsync(LEASE_S * 1000 - 100);
    expect(held.signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1000);
    expect([held.lost, held.signal.aborted]).toEqual([true, true]);
    held.stop();
  });

  it('renews six times in the life of a lease, until it is stopped', async () => {
    const { keeper, asked } = keeperThat(() => Promise.resolve(true));
    const held = keeper.hold(LEASE);
    await jest.advanceTimersByTimeAsync(LEASE_S * 10_000);
    expect(asked).toHaveLength(60);
    expect(new Set(asked)).toEqual(new Set([LEASE_S]));
    expect(held.lost).toBe(false);
    held.stop();
    await jest.advanceTimersByTimeAsync(LEASE_S * 1000);
    expect(asked).toHaveLength(60);
  });

  it('gives up the work without losing the lease', () => {
    const { keeper } = keeperThat(() => Promise.resolve(true));
    const held = keeper.hold(LEASE);
    held.giveUp();
    expect([held.lost, held.signal.aborted]).toEqual([false, true]);
    held.stop();
  });
});
