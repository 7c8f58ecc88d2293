import type { Media, Observation } from '@medplum/fhirtypes';
import { hl7Sample, judgeHl7, plannedOf, writtenPlace, type Judged } from '../../../../../test/support/hl7-inbound.js';

/** The photo of the samples. */
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46]).toString('base64');

const named = ({ problems }: Judged) =>
  problems.map((problem) => `${problem.severity === 'error' ? 'E' : 'W'} ${problem.code} ${writtenPlace(problem)}`);

describe('scales of photos', () => {
  const SCALE = 'OBX|5|NM|pixel-spacing^Pixel spacing^99SUT|1|0.112|mm/{pixel}^mm per pixel^UCUM|||||F';
  const scale = (subId: string, value: string) => SCALE.replace('|1|0.112|', `|${subId}|${value}|`);
  const photo = (subId: string, last: string) =>
    `OBX|9|ED|72170-4^Photographic image^LN|${subId}|EHR^IM^JPEG^Base64^${Buffer.concat([Buffer.from(JPEG, 'base64'), Buffer.from(last)]).toString('base64')}||||||F`;
  const judge = (...rows: string[]) => judgeHl7(hl7Sample('2.5.1/omg-o19-photo', [SCALE, rows.join('\r')]));

  it.each([
    ['two for one photo', [scale('1', '0.112'), scale('1', '0.224')], 'E value.number OBX^6^5^1'],
    ['two for one photo, of other sub-ids', [scale('1.1', '0.112'), scale('1.2', '0.224')], 'E value.number OBX^6^5^1'],
    ['two in one row', [scale('1', '0.112~0.224')], 'E value.number OBX^5^5^2'],
  ])('are refused: %s', async (_name, rows, refused) => {
    const judged = await judge(...rows);
    expect([judged.code, named(judged)[0]]).toEqual(['AE', refused]);
  });

  it('are each of the photo with the same OBX-4, though all are of one wound', async () => {
    const { plan } = await judge(scale('1', '0.112'), photo('2', 'b'), scale('2', '0.224'));
    const photos = plannedOf<Media>(plan, 'Media').map(({ fullUrl }) => fullUrl);
    const scales = plannedOf<Observation>(plan, 'Observation').filter(
      ({ resource }) => resource.code.coding?.[0]?.code === 'pixel-spacing',
    );
    expect(
      scales.map(({ resource }) => [
        resource.valueQuantity?.value,
        resource.derivedFrom?.map(({ reference }) => reference),
      ]),
    ).toEqual([
      [0.112, [photos[0]]],
      [0.224, [photos[1]]],
    ]);
  });

  it('are of every photo where one is stated, and may be said twice', async () => {
    const { plan, code } = await judge(scale('', '0.112'), photo('2', 'b'), scale('', '0.1120'));
    const scales = plannedOf<Observation>(plan, 'Observation').filter(
      ({ resource }) => resource.code.coding?.[0]?.code === 'pixel-spacing',
    );
    expect([code, scales.map(({ resource }) => resource.derivedFrom?.length)]).toEqual(['AA', [2, 2]]);
  });
});
