import type { Media, ServiceRequest } from '@medplum/fhirtypes';
import {
  hl7Sample,
  judgeHl7,
  KnownRecords,
  hl7SourceOf,
  plannedOf,
  writtenPlace,
  type Judged,
} from '../../../../test/support/hl7-inbound.js';

const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46]).toString('base64');
const PHOTO_ROW = `OBX|1|ED|72170-4^Photographic image^LN|1|EHR^IM^JPEG^Base64^${JPEG}||||||F|`;
const row = (type: string, value: string, status = 'F') =>
  `OBX|1|${type}|72170-4^Photographic image^LN|1|${value}||||||${status}|`;
const sample = (...changes: (readonly [string, string])[]) => hl7Sample('2.5.1/omg-o19-photo', ...changes);

const named = ({ problems }: Judged) =>
  problems.map((problem) => `${problem.severity === 'error' ? 'E' : 'W'} ${problem.code} ${writtenPlace(problem)}`);
const photosOf = ({ plan }: Judged) => plannedOf<Media>(plan, 'Media').map(({ resource }) => resource);

describe('a photo where HL7 has none', () => {
  it.each(['D', 'W', 'X'])('is refused at its place in a row that says %s', async (status) => {
    const judged = await judgeHl7(sample([PHOTO_ROW, row('ED', `EHR^IM^JPEG^Base64^${JPEG}`, status)]));
    expect([judged.code, named(judged)]).toEqual(['AE', expect.arrayContaining(['E code.unknown OBX^1^11^1'])]);
  });

  it.each(['O', 'I', 'N'])('is taken from a row that says %s', async (status) => {
    const judged = await judgeHl7(sample([PHOTO_ROW, row('ED', `EHR^IM^JPEG^Base64^${JPEG}`, status)]));
    expect([judged.code, photosOf(judged).map(({ content }) => content.data)]).toEqual(['AA', [JPEG]]);
  });

  it.each([
    ['TX', `EHR^IM^JPEG^Base64^${JPEG}`],
    ['ST', `EHR^IM^JPEG^Base64^${JPEG}`],
    ['FT', `^^^^${JPEG}`],
    ['', `EHR^IM^JPEG^Base64^${JPEG}`],
    ['TX', JPEG],
    ['', `data:image/jpeg;base64,${JPEG}`],
  ])('is taken, with a warning, under OBX-2 "%s" as %s', async (type, value) => {
    const judged = await judgeHl7(sample([PHOTO_ROW, row(type, value)]));
    expect([judged.code, named(judged)]).toEqual(['AA', expect.arrayContaining(['W data.other_type OBX^1^2^1'])]);
    expect(photosOf(judged).map(({ content }) => [content.contentType, content.data])).toEqual([['image/jpeg', JPEG]]);
  });

  it('is no text that begins like one', async () => {
    const judged = await judgeHl7(sample([PHOTO_ROW, row('TX', '/9 of the wound is covered^by^a^dressing^/9')]));
    expect(photosOf(judged)).toEqual([]);
    expect(named(judged)).toEqual(expect.arrayContaining(['W finding.kept OBX^1^3^1']));
  });
});

describe('a photo in a status message', () => {
  it.each(['RE', 'SC', 'SN', 'SR'])('makes the order that its OBR names (ORC-1 %s)', async (control) => {
    const judged = await judgeHl7(sample(['ORC|NW|', `ORC|${control}|`]));
    expect(judged.code).toBe('AA');
    const [order] = plannedOf<ServiceRequest>(judged.plan, 'ServiceRequest');
    expect(order?.resource.identifier?.[0]?.value).toBe('ORD-55012');
    expect(photosOf(judged)).toHaveLength(1);
    expect(judged.plan.orders.map(({ action }) => action)).toEqual([{ control, kind: 'none' }]);
  });

  it.each(['RE', 'SC'])('belongs to the order that is there (ORC-1 %s)', async (control) => {
    const patient = {
      resourceType: 'Patient' as const,
      id: 'p1',
      identifier: [{ system: 'urn:oid:1.2.3.4.5.6', value: 'MRN-778812' }],
    };
    const order = {
      resourceType: 'ServiceRequest' as const,
      id: 'o1',
      status: 'active' as const,
      intent: 'order' as const,
      code: { coding: [{ system: 'http://loinc.org', code: '39135-9' }] },
      subject: { reference: 'Patient/p1' },
      identifier: [{ system: 'urn:oid:1.2.3.4.5.7', value: 'ORD-55012' }],
    };
    const judged = await judgeHl7(
      sample(['ORC|NW|', `ORC|${control}|`]),
      hl7SourceOf(),
      new KnownRecords([patient, order]),
    );
    expect(judged.code).toBe('AA');
    expect(plannedOf(judged.plan, 'ServiceRequest')).toEqual([]);
    expect(photosOf(judged).map(({ basedOn }) => basedOn)).toEqual([[{ reference: 'ServiceRequest/o1' }]]);
  });

  it('without a photo still orders nothing', async () => {
    const judged = await judgeHl7(
      sample(['ORC|NW|', 'ORC|SC|'], [`${PHOTO_ROW}||20260315094000+0100`, 'NTE|2|P|none']),
    );
    expect([judged.code, plannedOf(judged.plan, 'ServiceRequest'), photosOf(judged)]).toEqual(['AA', [], []]);
  });
});
