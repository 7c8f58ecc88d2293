import type { Media, Patient, ServiceRequest } from '@medplum/fhirtypes';
import { hl7SourceOf, judgeHl7, plannedOf, writtenPlace, type Judged } from '../../../../test/support/hl7-inbound.js';

const PHOTO = `EHR^IM^JPEG^Base64^${Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46]).toString('base64')}`;
const header = (type: string): string => `MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260315094003+0100||${type}|M1|T|2.5.1`;
const patient = (number: string): string => `PID|1||${number}^^^HOSP^MR`;
const order = (number: string, control = 'NW'): string[] => [
  `ORC|${control}|${number}^EHR`,
  `OBR|1|${number}^EHR||39135-9^Wound assessment panel^LN`,
  `OBX|1|ED|72170-4^Photographic image^LN|1|${PHOTO}||||||F`,
];
const judge = (...segments: readonly string[]): Promise<Judged> =>
  judgeHl7(Buffer.from(`${segments.join('\r')}\r`), hl7SourceOf());
const named = ({ problems }: Judged): string[] =>
  problems.map((problem) => `${problem.severity === 'error' ? 'E' : 'W'} ${problem.code} ${writtenPlace(problem)}`);
const orderedFor = ({ plan }: Judged): unknown[] => {
  const patients = new Map(
    plannedOf<Patient>(plan, 'Patient').map(({ fullUrl, resource }) => [fullUrl, resource.identifier?.[0]?.value]),
  );
  return plannedOf<ServiceRequest>(plan, 'ServiceRequest').map(({ resource }) => [
    patients.get(resource.subject?.reference),
    resource.identifier?.[0]?.value,
  ]);
};

describe('a message of which a part could not be carried out', () => {
  it.each([
    ['a second PID in an announcement', [header('ADT^A08'), patient('1'), patient('2')], 'PID^2'],
    [
      'a second PID in a document',
      [header('MDM^T02'), patient('1'), 'TXA|1|PN||||||||||D1^EHR', 'OBX|1|TX|1^a||text||||||F', patient('2')],
      'PID^2',
    ],
    [
      'a second TXA',
      [
        header('MDM^T02'),
        patient('1'),
        'TXA|1|PN||||||||||D1^EHR',
        'TXA|2|PN||||||||||D2^EHR',
        'OBX|1|TX|1^a||text||||||F',
      ],
      'TXA^2',
    ],
    [
      'a second TXA of a cancelled document',
      [header('MDM^T11'), patient('1'), 'TXA|1|PN||||||||||D1', 'TXA|2|PN||||||||||D2'],
      'TXA^2',
    ],
    ['a second MRG behind one PID', [header('ADT^A40'), patient('1'), 'MRG|2^^^HOSP^MR', 'MRG|3^^^HOSP^MR'], 'MRG^2'],
  ])('is refused whole at the place: %s', async (_title, segments, place) => {
    const judged = await judge(...segments);
    expect([judged.code, named(judged)]).toEqual(['AE', [`E segment.repeated ${place}`]]);
    expect(judged.plan).toMatchObject({ bundle: null, joins: [] });
  });

  it('says which of two visits of a patient was not read', async () => {
    const judged = await judge(header('ORU^R01'), patient('1'), 'PV1|1|I', 'PV1|2|I', 'OBR|1|||1^a');
    expect([judged.code, named(judged)]).toEqual(['AA', ['W segment.repeated PV1^2']]);
  });

  it('is refused where a document with photos is of two orders', async () => {
    const judged = await judge(
      header('MDM^T02'),
      patient('1'),
      'ORC|RE|A-1^EHR',
      'OBR|1|A-1^EHR||1^a',
      'ORC|RE|A-2^EHR',
      'OBR|2|A-2^EHR||1^a',
      'TXA|1|PN||||||||||D1^EHR',
      `OBX|1|ED|72170-4^Photographic image^LN|1|${PHOTO}||||||F`,
    );
    expect([judged.code, named(judged)]).toEqual(['AE', ['E segment.repeated ORC^2']]);
  });

  it('is refused where an order of the second patient cannot be taken, and the first is not taken either', async () => {
    const judged = await judge(header('OMG^O19'), patient('1'), ...order('A-1'), patient('2'), ...order('A-2', 'QQ'));
    expect([judged.code, named(judged)]).toEqual(['AE', ['E code.unknown ORC^2^1^1']]);
    expect(judged.plan.bundle).toBeNull();
  });

  it('is refused where what stands behind the second PID is neither an order nor a result', async () => {
    const judged = await judge(
      header('OMG^O19'),
      patient('1'),
      ...order('A-1'),
      patient('2'),
      ...order('A-2').slice(1),
    );
    expect([judged.code, named(judged)]).toEqual(['AE', ['E segment.missing OBR^2']]);
    const bare = await judge(header('OMG^O19'), patient('1'), ...order('A-1'), patient('2'));
    expect([bare.code, named(bare)]).toEqual(['AE', ['E segment.missing PID^2']]);
  });
});

describe('orders of several patients in one message', () => {
  it.each(['ORM^O01', 'OMG^O19', 'OML^O21', 'OMI^O23'])('%s are all taken, each for its own', async (type) => {
    const judged = await judge(
      header(type),
      patient('1'),
      ...order('A-1'),
      patient('2'),
      ...order('A-2'),
      ...order('A-3'),
    );
    expect(named(judged)).toEqual([]);
    expect(orderedFor(judged)).toEqual([
      ['1', 'A-1'],
      ['2', 'A-2'],
      ['2', 'A-3'],
    ]);
    expect(plannedOf<Media>(judged.plan, 'Media')).toHaveLength(3);
    expect(judged.plan.orders.map(({ received }) => [received.placerValue, received.pid.split('|')[3]])).toEqual([
      ['A-1', '1^^^HOSP^MR'],
      ['A-2', '2^^^HOSP^MR'],
      ['A-3', '2^^^HOSP^MR'],
    ]);
  });

  it('with one number are refused', async () => {
    const judged = await judge(header('OMG^O19'), patient('1'), ...order('A-1'), patient('2'), ...order('A-1'));
    expect(named(judged)).toEqual(['E order.exists ORC^2^2^1']);
  });
});

describe('earlier results in an order', () => {
  const EARLIER = [
    'OBR|2|||39135-9^Wound assessment panel^LN|||20260301||||||||||||||||||F',
    'OBX|1|NM|89260-4^Area^LN||4|cm2^^UCUM|||||F',
  ];

  it.each([
    ['behind a second PID', [patient('1'), ...EARLIER]],
    ['behind a second PID, with ORC-1 PR', [patient('1'), 'ORC|PR', ...EARLIER]],
    ['with ORC-1 PR', ['ORC|PR', ...EARLIER]],
  ])('%s order nothing, and the sender is told', async (_title, segments) => {
    const judged = await judge(header('OMG^O19'), patient('1'), ...order('A-1'), ...segments);
    expect(judged.code).toBe('AA');
    expect(named(judged)).toEqual([expect.stringMatching(/^W finding\.earlier (?:ORC|OBR)\^2$/)]);
    expect(orderedFor(judged)).toEqual([['1', 'A-1']]);
  });
});
