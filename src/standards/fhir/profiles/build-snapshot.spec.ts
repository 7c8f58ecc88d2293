import type { StructureDefinition } from '@medplum/fhirtypes';
import { R4Definitions } from '../definitions/r4-definitions.js';
import { ProfileLibrary } from './profile-library.js';
import { buildSnapshot } from './build-snapshot.js';

const definitions = new R4Definitions();
const find = (url: string) => definitions.structureDefinition(url);
const media = (...element: { id: string; path: string; min?: number; sliceName?: string }[]) =>
  ({
    resourceType: 'StructureDefinition',
    url: 'urn:x',
    type: 'Media',
    baseDefinition: 'http://hl7.org/fhir/StructureDefinition/Media',
    differential: { element },
  }) as unknown as StructureDefinition;

describe('a snapshot', () => {
  it('is not made of a base that is not known, nor with an element that its base has not', () => {
    expect(() => buildSnapshot({ ...media(), baseDefinition: 'urn:nothing' }, find)).toThrow(
      'the base urn:nothing is not known',
    );
    expect(() => buildSnapshot(media({ id: 'Media.mood', path: 'Media.mood' }), find)).toThrow(
      'Media.mood is no element of its base',
    );
  });

  it('has all of its base, with what the differential says laid over', () => {
    const base = find('http://hl7.org/fhir/StructureDefinition/Media')!.snapshot!.element;
    const built = buildSnapshot(media({ id: 'Media.height', path: 'Media.height', min: 1 }), find);
    expect(built.map(({ id }) => id)).toEqual(base.map(({ id }) => id));
    expect(built.find(({ id }) => id === 'Media.height')).toMatchObject({
      min: 1,
      max: '1',
      type: [{ code: 'positiveInt' }],
    });
  });

  it('unfolds a data type where the differential reaches into it', () => {
    const ids = buildSnapshot(
      media({ id: 'Media.content.contentType', path: 'Media.content.contentType', min: 1 }),
      find,
    ).map(({ id }) => id);
    expect(ids.slice(ids.indexOf('Media.content'), ids.indexOf('Media.note'))).toEqual([
      'Media.content',
      ...['id', 'extension', 'contentType', 'language', 'data', 'url', 'size', 'hash', 'title', 'creation'].map(
        (name) => `Media.content.${name}`,
      ),
    ]);
  });

  it('starts a slice as the unsliced element with its children, behind all of it', () => {
    const { snapshot } = new ProfileLibrary(definitions).read(
      'StructureDefinition',
      'sutura-wound-area',
    ) as StructureDefinition;
    const ids = snapshot!.element.map(({ id }) => id!).filter((id) => id.startsWith('Observation.component'));
    expect(ids.slice(0, 2)).toEqual(['Observation.component', 'Observation.component.id']);
    expect(ids.filter((id) => /component:\w+$/.test(id))).toEqual(
      ['pixelSpacing', 'modelConfidence', 'lowerBound', 'upperBound', 'woundPixels', 'perimeter'].map(
        (slice) => `Observation.component:${slice}`,
      ),
    );
    const bound = snapshot!.element.find(({ id }) => id === 'Observation.component:lowerBound.value[x]');
    expect(bound).toMatchObject({
      path: 'Observation.component.value[x]',
      min: 1,
      type: [{ code: 'Quantity' }],
      patternQuantity: { code: 'cm2' },
    });
    expect(snapshot!.element.find(({ id }) => id === 'Observation.component:lowerBound')).not.toHaveProperty('slicing');
    expect(snapshot!.element[0]!.constraint!.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['obs-6', 'sutura-obs-1']),
    );
  });

  it('has the elements of an extension’s own profile where a slice is of that', () => {
    const { snapshot } = new ProfileLibrary(definitions).read(
      'StructureDefinition',
      'sutura-wound-assessment-report',
    ) as StructureDefinition;
    const find = (id: string) => snapshot!.element.find((element) => element.id === id)!;
    expect(find('DiagnosticReport.extension:assessmentSequence.value[x]')).toMatchObject({
      min: 1,
      type: [{ code: 'positiveInt' }],
    });
    expect(find('DiagnosticReport.extension:wound.value[x]').type).toMatchObject([{ code: 'Reference' }]);
    expect(find('DiagnosticReport.extension:wound.extension').max).toBe('0');
  });

  it('says of each inherited constraint whose it is, and nothing that R4 does not have', () => {
    for (const { url, snapshot } of new ProfileLibrary(definitions).resources(
      'StructureDefinition',
    ) as StructureDefinition[]) {
      const constraints = snapshot!.element.flatMap(({ constraint }) => constraint ?? []);
      expect(constraints.filter(({ key, source }) => !key!.startsWith('sutura-') && source === undefined)).toEqual([]);
      const texts = snapshot!.element.flatMap(({ mapping }) => (mapping ?? []).map(({ map }) => map!));
      expect([url, texts.filter((text) => text !== text.trimEnd())]).toEqual([url, []]);
      expect(snapshot!.element.filter(({ path }) => /\.meta\.(project|author|account|compartment)/.test(path))).toEqual(
        [],
      );
    }
  });

  it('has each id once, and each path as its id without slices', () => {
    for (const { snapshot } of new ProfileLibrary(definitions).resources(
      'StructureDefinition',
    ) as StructureDefinition[]) {
      const ids = snapshot!.element.map(({ id }) => id!);
      expect(new Set(ids).size).toBe(ids.length);
      expect(snapshot!.element.map(({ path }) => path)).toEqual(ids.map((id) => id.replaceAll(/:[^.]+/g, '')));
    }
  });
});
