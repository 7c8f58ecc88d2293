import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resource } from '@medplum/fhirtypes';
import { AI_TRANSPARENCY_PACKAGE, FHIR_RELEASE } from '../types/fhir-release.js';
import { elementsOf } from '../types/elements.js';
import { PACKAGE_NAME, PACKAGE_VERSION, type GuideEntry } from './implementation-guide.js';
import { CANONICAL_BASE, profilesDirectory, type ProfileLibrary } from './profile-library.js';

/** The files of an npm-style FHIR package (confluence.hl7.org: NPM Package Specification), by path; the same sources give the same bytes. */
export function packageFiles(library: ProfileLibrary, directory = profilesDirectory()): Map<string, Buffer> {
  const examples = readdirSync(join(directory, 'examples'))
    .sort()
    .map((name): [string, Resource] => [
      name,
      JSON.parse(readFileSync(join(directory, 'examples', name), 'utf8')) as Resource,
    ]);
  const guide = library.guide(examples.map(exampleEntry));
  const conformance = library
    .resources()
    .map((resource) => (resource.resourceType === 'ImplementationGuide' ? guide : resource))
    .map((resource): [string, Resource] => [`${resource.resourceType}-${resource.id!}.json`, resource]);
  return new Map([
    ['package/package.json', toJson(manifest())],
    ...inFolder('package', conformance),
    ...inFolder('package/example', examples),
  ]);
}

/** The example as the guide lists it. Two may be of one resource, at different moments: their files tell them apart. */
function exampleEntry([file, resource]: [string, Resource]): GuideEntry {
  const profile = resource.meta?.profile?.find((url) => url.startsWith(CANONICAL_BASE));
  const name = file.replace(/\.json$/, '');
  return {
    resource: { ...resource, id: resource.id ?? name },
    name,
    description: undefined,
    exampleOf: profile ?? 'none',
  };
}

function manifest(): object {
  return {
    name: PACKAGE_NAME,
    version: PACKAGE_VERSION,
    type: 'fhir.ig',
    title: 'Sutura wound assessment',
    description: `Profiles, terminology and operations of the Sutura wound-assessment service, FHIR ${FHIR_RELEASE.name}.`,
    author: 'Sutura',
    canonical: CANONICAL_BASE.slice(0, -1),
    url: CANONICAL_BASE.slice(0, -1),
    fhirVersions: [FHIR_RELEASE.version],
    dependencies: {
      [FHIR_RELEASE.corePackage]: FHIR_RELEASE.version,
      [AI_TRANSPARENCY_PACKAGE.name]: AI_TRANSPARENCY_PACKAGE.version,
    },
    directories: { lib: 'package', example: 'example' },
  };
}

function inFolder(folder: string, resources: readonly [string, Resource][]): [string, Buffer][] {
  const files = resources.map(([name, resource]): [string, Buffer] => [`${folder}/${name}`, toJson(resource)]);
  const index = {
    'index-version': 2,
    files: resources.map(([filename, resource]) => ({
      filename,
      ...indexed(elementsOf(resource)),
    })),
  };
  return [[`${folder}/.index.json`, toJson(index)], ...files];
}

/** The elements by which a tool finds a resource without reading it. */
function indexed(resource: Record<string, unknown>): object {
  const named = ['resourceType', 'id', 'url', 'version', 'kind', 'type', 'derivation', 'content', 'valueSet'] as const;
  // Elements of the same name are something else in other types: Media.type is a concept.
  return Object.fromEntries(
    named.filter((key) => typeof resource[key] === 'string').map((key) => [key, resource[key]]),
  );
}

function toJson(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
