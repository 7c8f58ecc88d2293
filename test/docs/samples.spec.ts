import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { differencesOf } from '../../scripts/samples/compare.mjs';
import { tableOf } from '../../scripts/samples/table.mjs';
import type { SampleSet } from '../../src/core/images/sample-photos.js';
import { ROOT, textOf } from './pages.js';

const FOLDER = join(ROOT, 'samples');
const collection = JSON.parse(textOf('samples/samples.json')) as SampleSet;
const { samples, series } = collection;

/** With one field of what was seen of a sample, or of a series, as given. */
const withSeen = (part: 'samples' | 'series', name: string, change: object): SampleSet => ({
  ...collection,
  [part]: collection[part].map((one) => (one.name === name ? { ...one, seen: { ...one.seen, ...change } } : one)),
});

describe('what was seen of the samples', () => {
  it.each([
    ['samples', 'clean-wound', { areaCm2: 9.1 }, 'clean-wound: areaCm2 was'],
    ['samples', 'clean-wound', { areaCm2: null }, 'clean-wound: areaCm2 was'],
    ['samples', 'no-wound', { woundDetected: true }, 'no-wound: woundDetected was false, and is true'],
    ['samples', 'no-scale', { warnings: [] }, 'no-scale: warnings was'],
    ['samples', 'damaged', { refusedWith: 'image.unreadable' }, 'damaged: refusedWith was'],
    ['series', 'worsening', { verdict: 'improving' }, 'worsening: verdict was'],
  ] as const)('is not the same where %s of %s say %o', (part, name, change, said) => {
    const [first = '', ...others] = differencesOf(collection, withSeen(part, name, change));
    expect(first).toContain(said);
    expect(others).toEqual([]);
  });

  it('is the same where an area differs as from one processor to another', () => {
    const area = samples.find(({ name }) => name === 'clean-wound')!.seen.areaCm2!;
    expect(differencesOf(collection, withSeen('samples', 'clean-wound', { areaCm2: area + 0.1 }))).toEqual([]);
  });

  it('stands in the README as in the list', () => {
    expect(textOf('samples/README.md')).toContain(`<!-- seen -->\n\n${tableOf(collection)}\n\n<!-- /seen -->`);
  });
});

describe('the list of samples', () => {
  it('has every photo of the folder, with its size and digest', () => {
    const photos = readdirSync(FOLDER).filter((file) => file.endsWith('.jpg'));
    expect(samples.map(({ name }) => `${name}.jpg`).sort()).toEqual(photos.sort());
    for (const { name, sizeBytes, sha256 } of samples) {
      const bytes = readFileSync(join(FOLDER, `${name}.jpg`));
      expect([name, sizeBytes, sha256]).toEqual([name, bytes.length, createHash('sha256').update(bytes).digest('hex')]);
    }
  });

  it('has the kinds that an integration has to try, and two series of eight', () => {
    const alone = samples.filter((sample) => sample.series === null).map(({ name }) => name);
    expect(alone.sort()).toEqual([
      'blurred',
      'clean-wound',
      'damaged',
      'necrosis',
      'no-scale',
      'no-wound',
      'poor-light',
      'two-wounds',
    ]);
    expect(series.map(({ name }) => name)).toEqual(['healing', 'worsening']);
    for (const { name } of series)
      expect(samples.flatMap((one) => (one.series?.name === name ? [one.series.number] : []))).toEqual([
        1, 2, 3, 4, 5, 6, 7, 8,
      ]);
  });
});
