import type { Observation } from '@medplum/fhirtypes';
import { hl7Sample, judgeHl7, plannedOf, writtenPlace } from '../../../../../test/support/hl7-inbound.js';
import type { ClinicianObservations } from '../../../../core/analysis/clinician-observations.js';
import { infectionWordsOf } from '../../../../core/followup/infection-signs.js';
import { merged } from '../../../fhir/intake/merged-findings.js';

const EXUDATE = 'OBX|6|CWE|39116-9^Drainage amount of Wound^LN|1|moderate^Moderate^99EHR||||||F';
const DEPTH = 'OBX|7|NM|39127-6^Depth of Wound^LN|1|0.4|cm^centimeter^UCUM|||||F\r';
const HEART_RATE = 'OBX|8|NM|8867-4^Heart rate^LN||72|/min^per minute^UCUM|||||F\r';

/** A row as `type|code|value`. */
async function sent(row: string) {
  const [type, code, value] = row.split('|');
  const written = `OBX|6|${type}|${code}|1|${value}||||||F`;
  const {
    code: answer,
    problems,
    plan,
  } = await judgeHl7(hl7Sample('2.5.1/omg-o19-photo', [EXUDATE, written], [DEPTH, ''], [HEART_RATE, '']));
  const observations = plannedOf<Observation>(plan, 'Observation').map(({ resource }) => resource);
  return {
    answer,
    problems: problems.map((problem) => `${problem.code} ${writtenPlace(problem)}`),
    stated: merged(observations).clinicianObservations,
  };
}

const FEVER = 'sign-fever^Fever^99SUT';
const fever = (status: 'present' | 'absent'): ClinicianObservations => ({
  infectionSignCodes: [{ sign: 'fever', status }],
});

describe('a row about one sign', () => {
  it.each([
    'CWE|Y^Yes^HL70136',
    'CE|Y^Yes^HL70136',
    'ID|Y',
    'IS|YES',
    'ST|yes',
    'ST|Present',
    'ST|+',
    'ST|ja',
    'TX|Sí',
    'FT|oui',
    'NM|1',
    'CWE|52101004^Present^SCT',
    'CWE|^Present',
    'CWE|J^Ja^99KIS',
    'CWE|^^^^^^^^positive',
    'CWE|LA33-6^Yes^LN',
    'CWE|N^No^HL70136~Y^Yes^HL70136',
  ])('says that it is there: %s', async (value) => {
    const [type, answer] = value.split('|');
    expect(await sent(`${type}|${FEVER}|${answer}`)).toEqual({ answer: 'AA', problems: [], stated: fever('present') });
  });

  it.each([
    'CWE|N^No^HL70136',
    'ID|N',
    'IS|NEG',
    'ST|No',
    'ST|absent',
    'ST|-',
    'ST|nein',
    'ST|ninguno',
    'TX|aucun',
    'NM|0',
    'CWE|260415000^Not detected^SCT',
    'CWE|260415000^^SCT',
    'CWE|2667000^Absent^SCT',
    'CWE|0^Nein^99KIS',
    'CWE|1^No^99EHR',
    'CWE|NEG^Negative^HL70078',
    'CWE|LA32-8^No^LN',
  ])('says that it is absent: %s', async (value) => {
    const [type, answer] = value.split('|');
    expect(await sent(`${type}|${FEVER}|${answer}`)).toEqual({ answer: 'AA', problems: [], stated: fever('absent') });
  });

  it.each([
    ['CWE|UNK^unknown^NULLFL', []],
    ['CWE|NASK^not asked^HL70532', []],
    ['ST|n/a', []],
    ['ST|', []],
    ['CWE|""', []],
    ['ST|38.9', ['finding.unread OBX^6^5^1']],
    ['NM|38.9', ['finding.unread OBX^6^5^1']],
    ['ST|no chills', ['finding.unread OBX^6^5^1']],
    ['CWE|7^^99EHR', ['finding.unread OBX^6^5^1']],
  ] as const)('states nothing: %s', async (value, problems) => {
    const [type, answer] = value.split('|');
    expect(await sent(`${type}|${FEVER}|${answer}`)).toEqual({ answer: 'AA', problems, stated: null });
  });
});

it('a row with the signs that are ticked states each of them', async () => {
  const { problems, stated } = await sent(
    'CWE|infection-sign-codes^Signs^99SUT|sign-warmth^Warm^99SUT~sign-swelling^Swollen^99SUT',
  );
  expect([problems, stated?.infectionSignCodes]).toEqual([
    [],
    [
      { sign: 'warmth', status: 'present' },
      { sign: 'swelling', status: 'present' },
    ],
  ]);
});

describe('signs in words', () => {
  it.each([
    'CWE|N^No^HL70136',
    'ID|N',
    'ST|NEG',
    'CWE|260415000^^SCT',
    'CWE|UNK^unknown^NULLFL',
    'ST|not assessed',
    'ST|k. A.',
    'CWE|0^Keine^99KIS',
    'ST|""',
  ])('are no signs: %s', async (value) => {
    const [type, answer] = value.split('|');
    expect(infectionWordsOf((await sent(`${type}|infection-signs^Signs^99SUT|${answer}`)).stated)).toEqual([]);
  });

  it.each([
    ['CWE|S1^pus^99EHR~S2^warm^99EHR', ['pus', 'warm']],
    ['CWE|Y^Yes^HL70136', ['Yes']],
    ['ID|Y', ['Y']],
    ['ST|no fever, but pus', ['no fever, but pus']],
    ['ST|nein, aber eitrig', ['nein, aber eitrig']],
    ['CWE|S9^^99EHR', ['S9']],
  ] as const)('are the words of %s', async (value, words) => {
    const [type, answer] = value.split('|');
    expect(infectionWordsOf((await sent(`${type}|infection-signs^Signs^99SUT|${answer}`)).stated)).toEqual(words);
  });

  it('are signs where a code of ours is among them', async () => {
    expect((await sent('CWE|infection-signs^Signs^99SUT|sign-odour^Smell^99SUT~S1^pus^99EHR')).stated).toEqual({
      infectionSigns: ['pus'],
      infectionSignCodes: [{ sign: 'odour', status: 'present' }],
    });
  });
});

describe('a stage', () => {
  it.each([
    ['CWE|stage-wagner-2^^99SUT', 'wagner 2'],
    ['ST|Stage III', 'pressure 3'],
    ['CWE|DTI^Deep tissue injury^99EHR', 'pressure suspected_deep_tissue_injury'],
    ['CWE|420324007^Pressure ulcer stage 2^SCT', 'pressure 2'],
  ])('is read from %s', async (value, told) => {
    const [type, answer] = value.split('|');
    const { problems, stated } = await sent(`${type}|wound-stage^Stage^99SUT|${answer}`);
    expect([problems, `${stated?.stage?.system} ${stated?.stage?.value}`]).toEqual([[], told]);
  });

  it.each(['ST|3', 'ST|Stage 5', 'NM|3', 'CWE|9^healing stage 4^99EHR'])('is not guessed from %s', async (value) => {
    const [type, answer] = value.split('|');
    const { answer: code, problems, stated } = await sent(`${type}|wound-stage^Stage^99SUT|${answer}`);
    expect([code, problems, stated]).toEqual(['AA', ['finding.unread OBX^6^5^1'], null]);
  });
});
