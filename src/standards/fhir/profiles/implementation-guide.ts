import type { ImplementationGuide, ImplementationGuideDefinitionResource, Resource } from '@medplum/fhirtypes';
import { AI_TRANSPARENCY_PACKAGE, FHIR_RELEASE } from '../types/fhir-release.js';

export const PACKAGE_NAME = 'dev.sutura.fhir';
/** The version of the resources in it (standards 2.1). */
export const PACKAGE_VERSION = '1.1.0';

/** What the guide needs of a definition to list it. */
export interface GuideEntry {
  readonly resource: Resource;
  readonly name: string;
  readonly description: string | undefined;
  /** The profile that an example shows; `none`: of no profile of ours; absent: no example. */
  readonly exampleOf?: string;
}

/** The list of everything that is published, by which servers and validators know the package: it follows from the definitions themselves. */
export function implementationGuide(base: string, date: string, entries: readonly GuideEntry[]): ImplementationGuide {
  return {
    resourceType: 'ImplementationGuide',
    id: PACKAGE_NAME,
    url: `${base}ImplementationGuide/${PACKAGE_NAME}`,
    version: PACKAGE_VERSION,
    name: 'SuturaWoundAssessment',
    title: 'Sutura wound assessment',
    status: 'active',
    experimental: false,
    date,
    publisher: 'Sutura',
    description:
      'Profiles, terminology, search parameters, operations and topics of the Sutura wound-assessment service.',
    packageId: PACKAGE_NAME,
    fhirVersion: [FHIR_RELEASE.version],
    dependsOn: [
      {
        id: 'aitransparency',
        uri: `http://hl7.org/fhir/uv/aitransparency/ImplementationGuide/${AI_TRANSPARENCY_PACKAGE.name}`,
        packageId: AI_TRANSPARENCY_PACKAGE.name,
        version: AI_TRANSPARENCY_PACKAGE.version,
      },
    ],
    definition: { resource: entries.map(listed) },
  } as ImplementationGuide;
}

function listed({ resource, name, description, exampleOf }: GuideEntry): ImplementationGuideDefinitionResource {
  return {
    reference: { reference: `${resource.resourceType}/${resource.id!}` },
    name,
    ...(description === undefined ? {} : { description }),
    ...(exampleOf === undefined
      ? { exampleBoolean: false }
      : exampleOf === 'none'
        ? { exampleBoolean: true }
        : { exampleCanonical: exampleOf }),
  };
}
