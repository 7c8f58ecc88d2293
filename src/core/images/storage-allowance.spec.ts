import { StorageAllowance, type StorageAllowancePorts } from './storage-allowance.js';

describe('what an organization may keep', () => {
  let nowMs = 0;
  let kept: Record<string, number>;
  let reads: number;
  const allowanceOf = (limitBytes: number): StorageAllowance => {
    const images = {
      bytesKept: (_: unknown, organizationId: string) => Promise.resolve(((reads += 1), kept[organizationId] ?? 0)),
    };
    return new StorageAllowance(
      {
        unitOfWork: { inSystem: (work: (transaction: unknown) => unknown) => work({}) },
        images,
        clock: { now: () => new Date(nowMs) },
      } as unknown as StorageAllowancePorts,
      limitBytes,
    );
  };
  beforeEach(() => {
    [nowMs, kept, reads] = [0, { full: 990, other: 10 }, 0];
  });

  it('refuses the byte too much, of that organization alone', async () => {
    const allowance = allowanceOf(1000);
    await expect(allowance.require('full', 11)).rejects.toMatchObject({ code: 'storage.limit', kind: 'storage_full' });
    await allowance.require('full', 10);
    await allowance.require('other', 11);
  });

  it('counts what was added and erased since, and asks the database once a minute', async () => {
    const allowance = allowanceOf(1000);
    await allowance.require('full', 0);
    allowance.note('full', 20);
    await expect(allowance.require('full', 0)).rejects.toMatchObject({ code: 'storage.limit' });
    allowance.note('full', -100);
    await allowance.require('full', 90);
    expect(reads).toBe(1);
    nowMs += 61_000;
    kept['full'] = 0;
    await allowance.require('full', 1000);
    expect(reads).toBe(2);
  });

  it('is as much as there is room for where no limit is set, and asks nobody', async () => {
    await allowanceOf(0).require('full', Number.MAX_SAFE_INTEGER);
    expect(reads).toBe(0);
  });
});
