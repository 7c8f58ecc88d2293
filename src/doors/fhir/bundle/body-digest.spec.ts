import { digestOf } from './body-digest.js';

describe('the digest of a Bundle', () => {
  it('tells values apart that are alike', async () => {
    const values = [
      {},
      [],
      null,
      '',
      'null',
      0,
      '0',
      false,
      [[]],
      [''],
      { a: '' },
      { a: [] },
      ['a', 'b'],
      ['ab'],
      ['a,b'],
      { a: 1, b: 2 },
      { a: 2, b: 1 },
      { a: { b: 1 } },
      [{ a: 1 }, { b: 2 }],
    ];
    const digests = await Promise.all(values.map(digestOf));
    expect(new Set(digests).size).toBe(values.length);
  });

  it('does not depend on the order of keys', async () => {
    expect(await digestOf({ a: 1, b: [{ c: 'x', d: true }] })).toBe(await digestOf({ b: [{ d: true, c: 'x' }], a: 1 }));
  });

  it('tells characters apart on both sides of a slice', async () => {
    const before = 'x'.repeat(512 * 1024 - 1);
    expect(await digestOf(`${before}\u{1F600}`)).not.toBe(await digestOf(`${before}\u{1F601}`));
  });

  it('lets others in while it takes a large body', async () => {
    let turns = 0;
    const turn = setInterval(() => (turns += 1), 0);
    await digestOf(Array.from({ length: 40 }, () => 'x'.repeat(1024 * 1024)));
    clearInterval(turn);
    expect(turns).toBeGreaterThan(5);
  });
});
