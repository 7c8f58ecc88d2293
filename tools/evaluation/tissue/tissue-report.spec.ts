import { classConfusion } from '../metrics/class-confusion.js';
import { classesOf, meanTissueDice, summariseTissue, type TissueCase } from './tissue-report.js';
import { toTissueTable } from './tissue-table.js';

const CLASSES = classesOf(['background', 'slough', 'granulation', 'callus']);
const MODEL = { name: 'tissue-segmentation', version: '0.1.0', sha256: 'cd'.repeat(32), researchOnly: true };
const caseOf = (id: string, label: readonly number[], found: readonly number[]): TissueCase => ({
  id,
  confusion: classConfusion(Uint8Array.from(label), Uint8Array.from(found), CLASSES.length),
  analyseMs: 50,
  stepsMs: { tissueMs: 40 },
});
const CASES = [caseOf('a', [1, 1, 2, 2, 0], [1, 2, 2, 2, 0]), caseOf('b', [2, 2, 2, 2, 0], [2, 2, 1, 1, 0])];

describe('classesOf', () => {
  it('puts classes that no expert labels behind those of the masks', () => {
    expect(classesOf(['background', 'granulation', 'necrosis', 'slough'])).toEqual([
      'background',
      'slough',
      'granulation',
      'callus',
      'necrosis',
    ]);
  });
});

describe('summariseTissue', () => {
  const report = summariseTissue(CASES, CLASSES, [MODEL], 'cpu');

  it('has no figure for a tissue that no picture has labelled, and leaves it out of the mean', () => {
    expect(report.dice['callus']).toEqual({
      pictures: 0,
      dataSet: { value: null, lower: null, upper: null },
      mean: { value: null, lower: null, upper: null },
    });
    expect(meanTissueDice([])).toBeNull();
  });

  it('gives Dice pooled and as a mean over the pictures that have the tissue', () => {
    // Slough: 2 labelled, 3 found, 1 shared. Granulation: 6 labelled, 5 found, 4 shared.
    expect(report.dice['slough']).toMatchObject({ pictures: 1, dataSet: { value: 2 / 5 } });
    expect(report.dice['slough']?.mean.value).toBeCloseTo(2 / 3, 12);
    expect(report.dice['granulation']?.dataSet.value).toBeCloseTo(8 / 11, 12);
    expect(report.dice['granulation']?.mean.value).toBeCloseTo((4 / 5 + 4 / 6) / 2, 12);
    expect(report.meanDice.value).toBeCloseTo((2 / 5 + 8 / 11) / 2, 12);
    expect(report.woundBedDice.value).toBe(1);
  });

  it('shows what was taken for what', () => {
    expect(report.confusion).toEqual({
      classes: CLASSES,
      rows: [
        [2, 0, 0, 0],
        [0, 1, 1, 0],
        [0, 2, 4, 0],
        [0, 0, 0, 0],
      ],
    });
    expect(toTissueTable(report)).toMatch(/granulation\s+0\s+2\s+4\s+0$/m);
  });
});
