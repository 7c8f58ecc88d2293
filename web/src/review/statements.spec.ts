import { EVERYTHING_STATED } from '../../../test/support/stated-sample.js';
import { faultsOf, observationsOf, restated, statementsOf } from './statements.js';

const KNOWN = statementsOf(EVERYTHING_STATED, 'en');

describe('what is typed in the form of the desk', () => {
  it.each([
    { depth: 'deep' },
    { depth: '1.5.2' },
    { depth: '-1' },
    { depth: '201' },
    { undermining: [{ from: '', to: '', depth: '1' }] },
    { undermining: [{ from: '11', to: '1', depth: '0' }] },
    { undermining: [{ from: '11', to: '1', depth: '' }] },
    { tunnelling: [{ at: '6', depth: '31' }] },
    {
      tunnelling: [
        { at: '6', depth: '2' },
        { at: '6', depth: '2,0' },
      ],
    },
    { ownWords: 'x'.repeat(201) },
    { ownWords: 'turned \u202eround' },
    { ownWords: Array.from({ length: 13 }, (_, line) => `sign ${line}`).join('\n') },
  ])('is refused where it cannot be stated: %j', (stated) => {
    expect(faultsOf(stated)).toEqual(Object.keys(stated));
  });

  it('is what the report has where nobody touched it', () => {
    expect(observationsOf({}, EVERYTHING_STATED)).toEqual(EVERYTHING_STATED);
    expect(faultsOf(KNOWN)).toEqual([]);
  });

  it.each(['en', 'de', 'es', 'fr'])('is the same statement when it is read back, in %s', (language) => {
    const { lengthCm: _, widthCm: __, ...inForm } = EVERYTHING_STATED;
    expect(observationsOf(statementsOf(EVERYTHING_STATED, language), null)).toEqual(inForm);
  });

  it('has a comma or a point as its decimal mark', () => {
    expect(observationsOf({ depth: '1,5' }, null)).toEqual({ depthCm: 1.5 });
    expect(observationsOf({ depth: ' 1.5 ' }, null)).toEqual({ depthCm: 1.5 });
    expect(statementsOf({ depthCm: 1.5 }, 'de').depth).toBe('1,5');
  });

  it('takes away what was stated where a row is emptied, and that alone', () => {
    const { depthCm: _, infectionSigns: __, ...rest } = EVERYTHING_STATED;
    expect(observationsOf({ depth: '', ownWords: ' \n' }, EVERYTHING_STATED)).toEqual(rest);
  });

  it('sends no time of what was stated before: the service keeps it', () => {
    const known = { depthCm: 1, painNrs: 3, statedAt: { depthCm: '2026-01-02' } };
    expect(observationsOf({ pain: '5' }, known)).toEqual({ depthCm: 1, painNrs: 5 });
  });

  it('is no change where it is what the report has again', () => {
    const changed = restated({}, 'odour', 'strong', KNOWN);
    expect(changed).toEqual({ odour: 'strong' });
    expect(restated(changed, 'odour', KNOWN.odour, KNOWN)).toEqual({});
  });

  it('keeps words as they were typed, each line once', () => {
    const words = { ownWords: '<img src=x onerror=alert(1)>\n\nwarm\nwarm ' };
    expect(observationsOf(words, null)).toEqual({ infectionSigns: ['<img src=x onerror=alert(1)>', 'warm'] });
  });
});
