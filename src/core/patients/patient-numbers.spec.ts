import { givenUp, identifyingNumbers, type GivenNumber } from './patient-numbers.js';

const typed = (value: string, code: string, system = 'urn:oid:1', use?: string): GivenNumber => ({
  system,
  value,
  use,
  type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code }] },
});
const values = (numbers: readonly { readonly value?: string | undefined }[]) => numbers.map(({ value }) => value);

describe('what a patient is known by', () => {
  it('is no social security number, driving licence or visit, as long as there is a record number', () => {
    expect(
      values(
        identifyingNumbers([typed('999-55-1111', 'SS'), typed('B-1', 'DL'), typed('MRN-1', 'MR'), typed('V-1', 'VN')]),
      ),
    ).toEqual(['MRN-1']);
    expect(
      values(identifyingNumbers([{ system: 'http://hl7.org/fhir/sid/us-ssn', value: '999551111' }, { value: '4711' }])),
    ).toEqual(['4711']);
  });

  it('is no number that is old, of secondary use or empty', () => {
    expect(
      values(
        identifyingNumbers([
          typed('MRN-0', 'MR', 'urn:oid:1', 'old'),
          typed('L-1', 'MR', 'urn:oid:2', 'secondary'),
          typed('', 'MR'),
          typed('MRN-1', 'MR'),
        ]),
      ),
    ).toEqual(['MRN-1']);
    expect(identifyingNumbers([typed('MRN-0', 'MR', 'urn:oid:1', 'old')])).toEqual([]);
  });

  it('is whatever there is where no number is of a record', () => {
    expect(values(identifyingNumbers([typed('999-55-1111', 'SS'), typed('B-1', 'DL')]))).toEqual([
      '999-55-1111',
      'B-1',
    ]);
  });

  it('is any record number, those without a type, and those typed by somebody’s own codes', () => {
    const own: GivenNumber = {
      system: 'urn:oid:3',
      value: 'H-1',
      type: { coding: [{ system: 'https://hospital.example/types', code: 'SS' }] },
    };
    expect(
      values(identifyingNumbers([typed('PI-1', 'PI'), { system: 'urn:oid:2', value: 'N-1' }, own, typed('U-1', 'U')])),
    ).toEqual(['PI-1', 'N-1', 'H-1', 'U-1']);
  });
});

describe('what a patient is known by no longer', () => {
  it('is what was corrected within its numbering, and what is now kept only', () => {
    expect(givenUp([typed('MRN-1', 'MR'), typed('MRN-2', 'MR')], [typed('MRN-1', 'MR')])).toEqual([
      { system: 'urn:oid:1', value: 'MRN-2' },
    ]);
    expect(givenUp([typed('999', 'SS', 'urn:oid:9')], [typed('999', 'SS', 'urn:oid:9'), typed('MRN-1', 'MR')])).toEqual(
      [{ system: 'urn:oid:9', value: '999' }],
    );
  });

  it('is no number of a numbering that is not spoken of, and none that is called old', () => {
    expect(givenUp([typed('MRN-1', 'MR'), typed('L-1', 'MR', 'urn:oid:2')], [typed('MRN-1', 'MR')])).toEqual([]);
    expect(givenUp([typed('MRN-1', 'MR')], [typed('MRN-1', 'MR', 'urn:oid:1', 'old')])).toEqual([]);
    expect(givenUp([typed('MRN-1', 'MR')], [])).toEqual([]);
  });
});
