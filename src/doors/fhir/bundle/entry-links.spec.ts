import type { Resource } from '@medplum/fhirtypes';
import { R4Definitions } from '../../../standards/fhir/definitions/r4-definitions.js';
import type { BundleEntry } from './bundle-entry.js';
import { EntryLinks } from './entry-links.js';
import { readTarget } from './entry-target.js';
import { findLinks } from './find-links.js';
import { processorMs } from '../../../../test/support/processor-time.js';

const BASE = 'https://gateway.test/fhir';
const PATIENT = 'urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000001';
const BINARY = 'urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000002';
const OID = 'urn:oid:1.2.3.4';

beforeAll(() => new R4Definitions().prepare());

function entry(
  index: number,
  fullUrl: string | null,
  url: string,
  method: BundleEntry['method'] = 'POST',
): BundleEntry {
  return { index, fullUrl, method, target: readTarget(url, BASE)!, conditions: {}, resource: {} };
}

/** The resource after its links were rewritten in a Bundle of these entries, each named by fullUrl and its address. */
function rewritten(
  resource: object,
  entries: readonly (readonly [fullUrl: string, address: string])[],
  own: string | null = null,
): Resource {
  const links = new EntryLinks(
    entries.map(([fullUrl, address], index) => entry(index, fullUrl, address.split('/')[0]!)),
    BASE,
  );
  entries.forEach(([, address], index) => links.assign({ index }, address));
  const copy = structuredClone(resource) as Resource;
  links.rewrite(findLinks(copy), own);
  return copy;
}

const ENTRIES = [
  [PATIENT, 'Patient/p'],
  [BINARY, 'Binary/b'],
  [OID, 'Practitioner/o'],
] as const;

describe('links of a Bundle', () => {
  it('are rewritten wherever R4 says Reference, url or uri', () => {
    const media = {
      resourceType: 'Media',
      meta: { source: PATIENT, profile: [PATIENT] },
      implicitRules: PATIENT,
      contained: [{ resourceType: 'Patient', id: 'c', link: [{ other: { reference: PATIENT }, type: 'seealso' }] }],
      extension: [
        { url: PATIENT, valueReference: { reference: PATIENT } },
        {
          url: 'x',
          extension: [
            { url: 'y', valueUri: PATIENT },
            { url: 'z', valueCanonical: PATIENT },
            { url: 's', valueString: PATIENT },
          ],
        },
      ],
      identifier: [{ system: OID, value: PATIENT, assigner: { reference: OID } }],
      subject: { reference: PATIENT },
      _createdDateTime: { extension: [{ url: 'x', valueUrl: BINARY }] },
      content: { url: BINARY, title: BINARY },
      note: [{ authorReference: { reference: OID }, text: PATIENT }],
    };
    expect(rewritten(media, ENTRIES)).toEqual({
      resourceType: 'Media',
      meta: { source: 'Patient/p', profile: [PATIENT] },
      implicitRules: 'Patient/p',
      contained: [{ resourceType: 'Patient', id: 'c', link: [{ other: { reference: 'Patient/p' }, type: 'seealso' }] }],
      extension: [
        { url: PATIENT, valueReference: { reference: 'Patient/p' } },
        {
          url: 'x',
          extension: [
            { url: 'y', valueUri: 'Patient/p' },
            { url: 'z', valueCanonical: PATIENT },
            { url: 's', valueString: PATIENT },
          ],
        },
      ],
      identifier: [{ system: 'Practitioner/o', value: PATIENT, assigner: { reference: 'Practitioner/o' } }],
      subject: { reference: 'Patient/p' },
      _createdDateTime: { extension: [{ url: 'x', valueUrl: 'Binary/b' }] },
      content: { url: 'Binary/b', title: BINARY },
      note: [{ authorReference: { reference: 'Practitioner/o' }, text: PATIENT }],
    });
  });

  it('are rewritten in narrative where it links or shows, and nowhere else', () => {
    const div = (link: string, image: string) =>
      `<div xmlns="http://www.w3.org/1999/xhtml"><p title="${BINARY}">${PATIENT} <a class='x' href="${link}">p</a> <img alt="a" src='${image}'/></p></div>`;
    const patient = { resourceType: 'Patient', text: { status: 'generated', div: div(PATIENT, BINARY) } };
    expect(rewritten(patient, ENTRIES)).toMatchObject({ text: { div: div('Patient/p', 'Binary/b') } });
  });

  it('reads a narrative of 100 kB that never ends in no time', () => {
    for (const filling of ['<a ', '<a href=', '<a href="', ' href', '\t']) {
      const patient = {
        resourceType: 'Patient',
        text: { status: 'generated', div: `<div><a ${filling.repeat(100_000 / filling.length)}` },
      };
      expect(rewritten(patient, ENTRIES)).toEqual(patient);
      expect(processorMs(() => rewritten(patient, ENTRIES))).toBeLessThan(400);
    }
  });

  it('are resolved against the server that the entry comes from', () => {
    const other = 'http://engine.test/r4/';
    const entries = [
      [`${other}Patient/77`, 'Patient/p'],
      [`${BASE}/Practitioner/9`, 'Practitioner/o'],
      ['Organization/5', 'Organization/q'],
    ] as const;
    const refer = (reference: string, own: string | null) =>
      (rewritten({ resourceType: 'Media', subject: { reference } }, entries, own) as { subject: { reference: string } })
        .subject.reference;
    expect(refer('Patient/77', `${other}Media/1`)).toBe('Patient/p');
    expect(refer('Patient/77', 'urn:uuid:x')).toBe('Patient/77');
    expect(refer(`${other}Patient/77`, null)).toBe('Patient/p');
    expect(refer('Practitioner/9', null)).toBe('Practitioner/o');
    expect(refer(`${BASE}/Organization/5`, null)).toBe('Organization/q');
    expect(refer('#c', null)).toBe('#c');
  });

  it('that name no entry are faults, except where a urn can mean something else', () => {
    const links = new EntryLinks([entry(0, PATIENT, 'Patient')], BASE);
    const media = {
      resourceType: 'Media',
      identifier: [{ system: 'urn:oid:9.9', value: '1' }],
      subject: { reference: 'urn:uuid:nobody' },
      content: { url: BINARY },
    } as unknown as Resource;
    expect(links.faultsOf(findLinks(media), null).map(({ expression }) => expression)).toEqual([
      'Media.subject.reference',
      'Media.content.url',
    ]);
  });

  it('that name an entry of a type that is not allowed there are faults', () => {
    const links = new EntryLinks([entry(0, PATIENT, 'Patient'), entry(1, BINARY, 'Binary')], BASE);
    const media = {
      resourceType: 'Media',
      subject: { reference: BINARY },
      operator: { reference: PATIENT },
      content: { url: BINARY },
    } as unknown as Resource;
    expect(links.faultsOf(findLinks(media), null)).toEqual([
      expect.objectContaining({ code: 'value', expression: 'Media.subject.reference' }),
    ]);
  });

  it('of a GET are none', () => {
    const links = new EntryLinks([entry(0, PATIENT, 'Patient', 'GET')], BASE);
    expect(
      links.faultsOf(
        findLinks({ resourceType: 'Media', subject: { reference: PATIENT } } as unknown as Resource),
        null,
      ),
    ).toHaveLength(1);
  });
});
