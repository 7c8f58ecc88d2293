import type { Patient } from '@medplum/fhirtypes';
import { hl7Sample, judgeHl7, plannedOf, writtenPlace } from '../../../../test/support/hl7-inbound.js';

describe('a number that a person could not tell from another', () => {
  it.each([
    ['of the patient', '2.5.1/omg-o19-photo', 'MRN-778812^', 'MRN-\u200b778812^', 'PID^1^3^1'],
    [
      'of the patient, with a no-break space behind it',
      '2.5.1/omg-o19-photo',
      'MRN-778812^',
      'MRN-778812\u00a0^',
      'PID^1^3^1',
    ],
    ['of the patient, in full-width digits', '2.5.1/omg-o19-photo', 'MRN-778812^', 'MRN-７78812^', 'PID^1^3^1'],
    [
      'of the patient’s authority',
      '2.5.1/omg-o19-photo',
      '^^^HOSP&1.2.3.4.5.6&ISO^MR',
      '^^^HO\u00adSP^MR',
      'PID^1^3^1',
    ],
    ['of the order', '2.5.1/omg-o19-photo', 'ORD-55012^', 'ORD-55012\u2060^', 'ORC^1^2^1'],
    ['of the wound', '2.5.1/omg-o19-photo', 'W-12', 'W-\u202e12', 'OBX^4^5^1'],
    ['of the document', '2.3.1/mdm-t02-photo', 'DOC-881', 'DOC\u200f-881', 'TXA^1^12^1'],
    ['of the message', '2.5.1/omg-o19-photo', '|MSG251005|', '|MSG\ufeff251005|', 'MSH^1^10^1'],
  ])('%s is refused at its place', async (_title, sample, from, to, place) => {
    const bytes = Buffer.from(hl7Sample(sample).toString('utf8').replaceAll(from, to), 'utf8');
    const { code, problems, plan } = await judgeHl7(bytes);
    const errors = problems.filter(({ severity }) => severity === 'error');
    expect([code, errors[0]?.code, writtenPlace(errors[0]!)]).toEqual(['AE', 'value.identifier', place]);
    expect(errors[0]?.text).toMatch(/\(U\+[0-9A-F]{4}\)/);
    expect(plan.bundle).toBeNull();
  });

  it.each([
    ['with a megabyte of blanks within it', 'MRN-778812^', `MRN${' '.repeat(1_000_000)}8^`],
    ['of a megabyte', 'MRN-778812^', `${'4'.repeat(1_000_000)}^`],
    ['with an authority of a megabyte', '^^^HOSP&1.2.3.4.5.6&ISO^MR', `^^^&1${'.1'.repeat(500_000)}&ISO^MR`],
    ['of the message, with blanks within it', '|MSG251005|', `|M${' '.repeat(50_000)}5|`],
  ])('%s is refused at once', async (_title, from, to) => {
    const sample = hl7Sample('2.5.1/omg-o19-photo').toString('utf8');
    expect(sample).toContain(from);
    const { code, problems } = await judgeHl7(Buffer.from(sample.replaceAll(from, to), 'utf8'));
    expect([code, problems.find(({ severity }) => severity === 'error')?.code]).toEqual(['AE', 'value.identifier']);
  });

  it('can be merged away', async () => {
    const sample = hl7Sample('2.5.1/adt-a40-merge').toString('utf8').replace('MRN-900001', 'MRN-\u200b900001');
    const { code, plan } = await judgeHl7(Buffer.from(sample, 'utf8'));
    expect([code, plan.joins[0]?.prior[0]?.value]).toEqual(['AA', 'MRN-\u200b900001']);
  });

  it('is none where its sender deletes it', async () => {
    const { code, problems } = await judgeHl7(
      hl7Sample('2.5.1/omg-o19-photo', ['ORD-55012^EHR^1.2.3.4.5.7^ISO', '""^EHR^1.2.3.4.5.7^ISO']),
    );
    expect([code, problems[0]?.code, writtenPlace(problems[0]!)]).toEqual(['AE', 'field.required', 'ORC^1^2^1']);
  });

  it('is not made of a name of which parts are deleted', async () => {
    const { plan } = await judgeHl7(
      hl7Sample('2.5.1/omg-o19-photo', ['Beispiel^Anna^^^^^L', 'Beispiel^Anna^""^""^""^^L']),
    );
    expect(plannedOf<Patient>(plan, 'Patient')[0]?.resource.name).toEqual([
      { use: 'official', family: 'Beispiel', given: ['Anna'] },
    ]);
  });

  it('is no number with blanks around it', async () => {
    expect((await judgeHl7(hl7Sample('2.5.1/omg-o19-photo', ['MRN-778812^', ' MRN-778812  ^']))).code).toBe('AA');
  });
});

it('of an authority of 24 MB is refused at its place, and no pattern is tried on it', async () => {
  const oid = `1${'.2'.repeat(12 * 1024 * 1024)}`;
  const text = hl7Sample('2.5.1/omg-o19-photo').toString('utf8');
  const { code, problems } = await judgeHl7(
    Buffer.from(text.replaceAll('^^^HOSP&1.2.3.4.5.6&ISO^MR', `^^^HOSP&${oid}&ISO^MR`), 'utf8'),
  );
  const [first] = problems.filter(({ severity }) => severity === 'error');
  expect([code, writtenPlace(first!)]).toEqual(['AE', 'PID^1^3^1']);
}, 60_000);
