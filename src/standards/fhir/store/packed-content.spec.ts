import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Media, Observation, Resource, Task } from '@medplum/fhirtypes';
import { profilesDirectory } from '../profiles/profile-library.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { contentOf, COPY_OF, pack, patientsAmong, resourceIn, statusOf, unpackedJson } from './packed-content.js';
import { DICTIONARIES } from './packing-dictionaries.js';

const [ANNA, BERTA] = ['01990000-0000-7000-8000-00000000000a', '01990000-0000-7000-8000-00000000000b'];
/** Of a patient with an id as the service gives them. */
const example = (name: string): Resource => {
  const json = readFileSync(join(profilesDirectory(), 'examples', `${name}.json`), 'utf8');
  return JSON.parse(json.replaceAll(/Patient\/[\w-]+/g, `Patient/${ANNA}`)) as Resource;
};
const packing = (resource: Resource) => pack(resource, JSON.stringify(resource));
const packed = (resource: Resource): Buffer | null => packing(resource)?.bytes ?? null;

const AREA = example('observation-area-1') as Observation;

describe('the packed content of a version', () => {
  it('is none of a type that statements look into', () => {
    for (const resourceType of ['Patient', 'Encounter', 'ServiceRequest', 'DocumentReference'] as const)
      expect(packed({ ...AREA, resourceType } as never)).toBeNull();
  });

  it('is none of a photo or a task that leads statements elsewhere', () => {
    const media = { resourceType: 'Media', status: 'completed', note: AREA.note, content: {} } as Media;
    const task = { resourceType: 'Task', status: 'completed', intent: 'order', note: AREA.note } as Task;
    expect(packed(media)).not.toBeNull();
    expect(packed(task)).not.toBeNull();
    expect(packed({ ...media, encounter: { reference: 'Encounter/1' } })).toBeNull();
    const valueReference = { reference: 'Media/1' };
    expect(packed({ ...media, extension: [{ url: COPY_OF, valueReference }] })).toBeNull();
    expect(packed({ ...task, basedOn: [{ reference: 'ServiceRequest/1' }] })).toBeNull();
  });

  it('is none of what would not become shorter, or is longer than two bytes can say', () => {
    expect(packed({ resourceType: 'Observation' } as Observation)).not.toBeNull();
    expect(pack({ resourceType: 'Observation' } as Observation, '{}')).toBeNull();
    const noise = Array.from({ length: 2200 }, (_, at) => hash('sha256', String(at)).slice(0, 32)).join('');
    expect(packed({ ...AREA, note: [{ text: noise.slice(0, 60_000) }] })).not.toBeNull();
    expect(packed({ ...AREA, note: [{ text: noise.slice(0, 66_000) }] })).toBeNull();
  });

  it('says whom it names, where that is one patient by the id alone or nobody', () => {
    expect(packing(AREA)?.patientId).toBe(ANNA);
    const { subject, ...ofNobody } = AREA;
    expect(subject?.reference).toBe(`Patient/${ANNA}`);
    expect(packing(ofNobody as Observation)?.patientId).toBeNull();
    expect(patientsAmong([`Patient/${ANNA}"`, '"4711"', `"${BERTA}"`, 'Patient/mother"'])).toEqual([ANNA]);
  });

  it.each([
    ['another patient', { performer: [{ reference: `Patient/${BERTA}`, display: 'Anna Beispiel' }] }],
    ['the patient in a former version', { performer: [{ reference: `Patient/${ANNA}/_history/2` }] }],
    ['a patient of another server', { performer: [{ reference: 'https://ehr.example.org/Patient/7' }] }],
    ['whom its subject is by a number', { subject: { identifier: { system: 'urn:oid:1.2.3', value: '4711' } } }],
    ['anybody by a number beside the id', { subject: { reference: `Patient/${ANNA}`, identifier: { value: '4711' } } }],
    [
      'somebody by a number, deep inside',
      { extension: [{ url: 'urn:x', valueReference: { identifier: { value: '1' } } }] },
    ],
  ])('is none where an erasure has to look into its text: it names %s', (_whom, more) => {
    expect(packed({ ...AREA, ...more } as Observation)).toBeNull();
  });

  it('is the same resource again, in a fifth of the bytes, and says how long its JSON is', () => {
    const kept = packed(AREA)!;
    expect(contentOf({ content: null as never, packed: kept })).toEqual(AREA);
    const bytes = Buffer.byteLength(JSON.stringify(AREA));
    expect(kept.readUInt16BE(1)).toBe(bytes);
    expect(kept.length).toBeLessThan(bytes / 5);
  });

  it.each(['Größe ≥ 4 cm²', '🩹\u2028', '\\u0000 "quoted" \\', "'; drop table fhir_versions; --"])(
    'keeps %j to the letter',
    (text) => {
      const resource = { ...AREA, note: [{ text }] };
      expect(unpackedJson(packed(resource)!)).toBe(JSON.stringify(resource));
    },
  );

  it('is refused where it was damaged, or packed by a dictionary of another release', () => {
    const kept = packed(AREA)!;
    const [damaged, newer] = [Buffer.from(kept), Buffer.from(kept)];
    damaged[kept.length - 10]! ^= 1;
    expect(() => unpackedJson(damaged)).toThrow();
    newer[0] = 9;
    expect(() => unpackedJson(newer)).toThrow('packed by dictionary 9, which this release does not have');
  });

  it('is refused by its address, and by no word of what it says', () => {
    const damaged = Buffer.from(packed({ ...AREA, note: [{ text: 'Muster, Zoë' }] })!);
    damaged[damaged.length - 1]! ^= 1;
    const address = 'Observation/1/_history/2';
    const refusal = `${address} is damaged in fhir_versions.packed. Restore it from a back-up.`;
    expect(() => contentOf({ content: null as never, packed: damaged }, address)).toThrow(refusal);
    expect(() => resourceIn('{"note":"Muster, Zoë"', address)).toThrow(refusal);
    // A named fault of the service, and not a resource that is gone.
    const thrown = (): unknown => {
      try {
        return contentOf({ content: null as never, packed: damaged }, address);
      } catch (fault) {
        return fault;
      }
    };
    expect(thrown()).toBeInstanceOf(SuturaError);
    expect(thrown()).toMatchObject({ code: 'storage.altered', kind: 'internal', detail: refusal });
  });

  it('tells the status beside it, and none where there is none', () => {
    expect(statusOf(AREA)).toBe(AREA.status);
    expect(statusOf({ resourceType: 'Provenance' } as Resource)).toBeNull();
  });
});

it('dictionaries stay as they were: what was packed by one is read by no other', () => {
  const digests = [...DICTIONARIES].map(([number, bytes]) => [number, hash('sha256', bytes)]);
  expect(digests).toEqual([[1, '7673dd13b17f0a6a06e3eefc7ae56731fd42df348db146d7bbe6ed0073b5b173']]);
});
