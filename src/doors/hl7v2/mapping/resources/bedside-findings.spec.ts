import type { Observation } from '@medplum/fhirtypes';
import { heelReport, resultFacts, segmentsOf } from '../../../../../test/support/hl7-result.js';
import { hl7Sample, judgeHl7, plannedOf, writtenPlace } from '../../../../../test/support/hl7-inbound.js';
import { EVERYTHING_STATED } from '../../../../../test/support/stated-sample.js';
import { merged } from '../../../fhir/intake/merged-findings.js';
import { findingOf } from '../../../fhir/intake/clinician-codes.js';

/** The rows of the sample that a clinician states. */
const OWN_ROWS = [
  'OBX|6|CWE|39116-9^Drainage amount of Wound^LN|1|moderate^Moderate^99EHR||||||F',
  'OBX|7|NM|39127-6^Depth of Wound^LN|1|0.4|cm^centimeter^UCUM|||||F',
];
const HEART_RATE = 'OBX|8|NM|8867-4^Heart rate^LN||72|/min^per minute^UCUM|||||F\r';
/** The place of the first row that is sent. */
const FIRST = 6;

/** The sample order with these rows in the place of its own; each without its number, in the form `type|code|sub-id|value|unit`. */
async function sent(...rows: readonly string[]) {
  const written = rows.map((row, index) => {
    const [type, code, subId, value, unit = ''] = row.split('|');
    return `OBX|${index + FIRST}|${type}|${code}|${subId}|${value}|${unit}|||||F`;
  });
  const judged = await judgeHl7(
    hl7Sample('2.5.1/omg-o19-photo', [OWN_ROWS[0]!, written.join('\r')], [`${OWN_ROWS[1]!}\r`, ''], [HEART_RATE, '']),
  );
  const observations = plannedOf<Observation>(judged.plan, 'Observation').map(({ resource }) => resource);
  return {
    code: judged.code,
    problems: judged.problems.map((problem) => `${problem.code} ${writtenPlace(problem)}`),
    observations,
    stated: merged(observations).clinicianObservations,
  };
}

const DEPTH = 'NM|72293-4^Undermining [Length] of Wound^LN|1.1|1.2|cm';
const CLOCK = '72294-2^Undermining clock position of Wound^LN|1.1';
const TUNNEL = 'NM|72296-7^Tunneling [Length] of Wound^LN|1.2|2.5|cm';

describe('a clinician’s row', () => {
  it.each([
    ['a clock position of 13', [DEPTH, `NM|${CLOCK}|13`], 'value.number OBX^7^5^1'],
    ['a clock position of 0', [DEPTH, `SN|${CLOCK}|^0^-^4`], 'value.number OBX^7^5^1'],
    ['an undermining of 31 cm', ['NM|72293-4^^LN|1.1|31|cm', `NM|${CLOCK}|3`], 'value.number OBX^6^5^1'],
    ['a depth in words', ['NM|72293-4^^LN|1.1|deep|cm', `NM|${CLOCK}|3`], 'value.number OBX^6^5^1'],
    ['pain of 11', ['NM|pain-nrs^Pain^99SUT|1|11|'], 'value.number OBX^6^5^1'],
    [
      'a sign of infection of 201 characters',
      [`ST|infection-signs^^99SUT|1|${'x'.repeat(201)}|`],
      'value.too_long OBX^6^5^1',
    ],
    ['a length by hand of 3 m', ['NM|bedside-length^Length^99SUT|1|300|cm'], 'value.number OBX^6^5^1'],
  ])('refuses the message where it states %s', async (_, rows, problem) => {
    const { code, problems } = await sent(...rows);
    expect([code, problems]).toEqual(['AE', [problem]]);
  });

  it.each([
    ['a depth without a clock position', [DEPTH], ['finding.unread OBX^6^5^1']],
    ['a clock position without a depth', [`NM|${CLOCK}|3`], ['finding.unread OBX^6^5^1']],
    [
      'two depths of one OBX-4, which could be either’s',
      [DEPTH, DEPTH, `NM|${CLOCK}|3`, `NM|${CLOCK}|6`],
      [6, 7, 8, 9].map((row) => `finding.unread OBX^${row}^5^1`),
    ],
    ['a clock position in other words', [DEPTH, `ST|${CLOCK}|all around`], ['finding.unread OBX^6^5^1']],
    [
      'a tunnel with a range',
      [TUNNEL, 'SN|72297-5^^LN|1.2|^2^-^4'],
      ['finding.unread OBX^6^5^1', 'finding.kept OBX^7^2^1'],
    ],
    ['a depth in inches', ['NM|72293-4^^LN|1.1|1|[in_i]', `NM|${CLOCK}|3`], ['finding.unread OBX^6^6^1']],
    ['an odour in other words', ['ST|72288-4^Odor^LN|1|like old cheese'], ['finding.unread OBX^6^5^1']],
    ['an edge by another code', ['CWE|72304-9^Edge^LN|1|E7^Ragged^99EHR'], ['finding.unread OBX^6^5^1']],
  ])('is kept with a warning, and states nothing, where it is %s', async (_, rows, problems) => {
    const read = await sent(...rows);
    expect([read.code, read.problems, read.stated]).toEqual(['AA', problems, null]);
    expect(read.observations.length).toBeGreaterThan(0);
  });

  it('states no pocket where its depth is nought', async () => {
    const { code, problems, stated } = await sent('NM|72293-4^^LN|1.1|0|cm', `NM|${CLOCK}|3`);
    expect([code, problems, stated]).toEqual(['AA', [], null]);
  });

  it.each([
    [
      'a structured range over midnight',
      [DEPTH, `SN|${CLOCK}|^11^-^2`],
      { undermining: [{ fromClock: 11, toClock: 2, depthCm: 1.2 }] },
    ],
    ['two numbers', [DEPTH, `NM|${CLOCK}|2~5`], { undermining: [{ fromClock: 2, toClock: 5, depthCm: 1.2 }] }],
    ['text', [DEPTH, `ST|${CLOCK}|2 to 5`], { undermining: [{ fromClock: 2, toClock: 5, depthCm: 1.2 }] }],
    [
      'one hour in SNOMED CT',
      [TUNNEL, "CWE|72297-5^^LN|1.2|260328008^2 o'clock position^SCT"],
      { tunnelling: [{ clock: 2, depthCm: 2.5 }] },
    ],
    ['millimetres', ['NM|72296-7^^LN|1.2|25|mm', 'NM|72297-5^^LN|1.2|6'], { tunnelling: [{ clock: 6, depthCm: 2.5 }] }],
    [
      'words of the contract',
      ['CWE|72304-9^^LN|1|rolled^Rolled^99EHR~not_attached^^L', 'ST|72301-5^^LN|1|Oedema~erythema'],
      { edges: ['rolled', 'not_attached'], periwound: ['oedema', 'erythema'] },
    ],
    ['an amount of exudate in our code', ['CWE|39116-9^^LN|1|exudate-heavy^^99SUT'], { exudate: 'heavy' }],
    [
      'lines of text',
      ['FT|infection-signs^^99SUT|1|warm \\T\\ red\\.br\\<b>foul</b>~ρύπος'],
      { infectionSigns: ['warm & red', '<b>foul</b>', 'ρύπος'] },
    ],
  ])('is read from %s', async (_, rows, stated) => {
    const read = await sent(...rows);
    expect([read.problems, read.stated]).toEqual([[], stated]);
  });

  const tunnels = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => [
      `NM|72296-7^^LN|1.${index + 1}|1.5|cm`,
      `NM|72297-5^^LN|1.${index + 1}|${(index % 12) + 1}`,
    ]).flat();
  const signs = (count: number): string =>
    `FT|infection-signs^^99SUT|1|${Array.from({ length: count }, (_, index) => `sign ${index}`).join('~')}`;

  it.each([
    ['thirteen tunnels', tunnels(13), 'finding.too_many OBX^30^5^1'],
    ['thirteen signs of infection', [signs(13)], 'finding.too_many OBX^6^5^1'],
  ])('of %s is refused', async (_, rows, problem) => {
    expect((await sent(...rows)).problems).toEqual([problem]);
  });

  it('of twelve tunnels and twelve signs is in the report', async () => {
    const { problems, stated } = await sent(...tunnels(12), signs(12));
    expect([problems, stated!.tunnelling!.length, stated!.infectionSigns!.length]).toEqual([[], 12, 12]);
  });
});

describe('all that a clinician stated', () => {
  it.each([true, false])('goes out in a result and comes back from it (SNOMED CT: %s)', async (snomed) => {
    const report = heelReport();
    const content = { ...report.content, clinicianObservations: EVERYTHING_STATED };
    const facts = resultFacts({ ...report, content });
    const segments = segmentsOf({ ...facts, snomed });
    const rows = segments.filter((segment) => segment.includes('Stated by a clinician^99SUT'));
    expect(rows).toHaveLength(9 + 2 * 4 + 2 + 2 + 1);
    const { problems, stated, observations } = await sent(
      ...rows
        .map((row) => row.split('|'))
        .map((fields) => [fields[2], fields[3], fields[4], fields[5], fields[6]].join('|')),
    );
    expect([problems, stated]).toEqual([[], EVERYTHING_STATED]);
    expect(observations.filter((one) => findingOf(one) === null)).toEqual([]);
  });
});
