import { outlineModelOf, tissueModelOf } from './models-used.js';
import type { ModelTask, ModelUsed } from '../measurement/wound-result.js';

const model = (name: string, task?: ModelTask): ModelUsed => ({
  name,
  version: '1',
  sha256: 'ab'.repeat(32),
  researchOnly: false,
  ...(task === undefined ? {} : { task }),
});

describe('the models of a result', () => {
  it('are told apart by their task, in whatever order', () => {
    const models = [model('t', 'tissue-segmentation'), model('o', 'wound-segmentation')];
    expect([outlineModelOf(models), tissueModelOf(models, 'o/1')]).toEqual(['o/1', 't/1']);
  });

  it('are not taken for the tissue’s where another outlined anew', () => {
    expect(tissueModelOf([model('o', 'wound-segmentation')], 'newer/2')).toBe('newer/2');
  });

  it('of before they said their task: the outline’s first, the tissue’s beside it', () => {
    const models = [model('o'), model('t')];
    expect([outlineModelOf(models), tissueModelOf(models, 'o/1'), tissueModelOf(models.slice(0, 1), 'o/1')]).toEqual([
      'o/1',
      't/1',
      'o/1',
    ]);
  });

  it('are unknown where there is none', () => {
    expect([outlineModelOf([]), tissueModelOf([], 'unknown/0')]).toEqual(['unknown/0', 'unknown/0']);
  });
});
