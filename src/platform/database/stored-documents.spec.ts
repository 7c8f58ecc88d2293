import { StoredDocuments } from './stored-documents.js';

interface Present {
  readonly areaCm2: number;
  readonly unit: 'cm2';
}

const documents = new StoredDocuments<Present>('figure', [
  ({ area }: { readonly area: number }) => ({ areaMm2: area }),
  ({ areaMm2 }: { readonly areaMm2: number }) => ({ areaCm2: areaMm2 / 100, unit: 'cm2' }),
]);

describe('documents that are kept as JSON', () => {
  it('of a newer release are refused by name, with what to do', () => {
    expect(() => documents.read({}, 4)).toThrow(
      expect.objectContaining({
        code: 'data.newer_release',
        kind: 'unavailable',
        detail: expect.stringMatching(/this figure \(version 4; this process reads up to 3\)/) as string,
        facts: expect.objectContaining({ retryAfterS: 30 }) as object,
      }) as Error,
    );
  });

  it.each([
    [1, { area: 250 }],
    [2, { areaMm2: 250 }],
    [3, { areaCm2: 2.5, unit: 'cm2' }],
  ])('of version %d are brought up to the present one', (version, kept) => {
    expect(documents.read(kept, version)).toEqual({ areaCm2: 2.5, unit: 'cm2' });
  });

  it('stay as they were given', () => {
    const kept = Object.freeze({ area: 250 });
    documents.read(kept, 1);
    expect(kept).toEqual({ area: 250 });
  });

  it('are written in the version that the last step leads to', () => {
    expect([documents.presentVersion, new StoredDocuments('figure', []).presentVersion]).toEqual([3, 1]);
  });
});
