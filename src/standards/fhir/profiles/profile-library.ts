import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeSystem, ImplementationGuide, Resource, StructureDefinition, ValueSet } from '@medplum/fhirtypes';
import { compileProfile, type ElementRules } from './profile-rules.js';
import { dataFolder } from '../../../platform/config/data-folder.js';
import type { R4Definitions } from '../definitions/r4-definitions.js';
import { CONFORMANCE_TYPES, type ConformanceResource, type ConformanceType } from '../types/served-types.js';
import { buildSnapshot } from './build-snapshot.js';
import { implementationGuide, type GuideEntry } from './implementation-guide.js';
import { factsOf } from './published-facts.js';

/** Beginning of our canonical URLs, whatever the address of an installation (standards 2.1). */
export const CANONICAL_BASE = 'https://sutura.dev/fhir/';

interface Compiled {
  readonly profile: StructureDefinition;
  readonly rules: ElementRules;
}

/** Profiles, terminology and definitions of operations of this service, from fhir-profiles/; read once, when the first is asked for: most commands ask for none. */
export class ProfileLibrary {
  private published: Map<string, ConformanceResource> | undefined;
  private readonly compiled = new Map<string, Compiled>();
  private readonly snapshots = new Map<string, StructureDefinition>();

  constructor(
    private readonly definitions: R4Definitions,
    private readonly directory = profilesDirectory(),
  ) {}

  /** Reads all that is published, now rather than with the first question; throws where that cannot be read. */
  prepare(): void {
    void this.byUrl;
  }

  /** All definitions as they are served: a StructureDefinition has its snapshot. Ordered by type and id. */
  resources(type?: ConformanceType): ConformanceResource[] {
    return [...this.byUrl.values()]
      .filter(({ resourceType }) => type === undefined || resourceType === type)
      .map((resource) => this.served(resource));
  }

  /** One by id; undefined where there is none. */
  read(type: ConformanceType, id: string): ConformanceResource | undefined {
    const resource = this.byUrl.get(`${CANONICAL_BASE}${type === 'Basic' ? 'SubscriptionTopic' : type}/${id}`);
    return resource === undefined ? undefined : this.served(resource);
  }

  /** The list of all definitions, and of these examples. */
  guide(examples: readonly GuideEntry[]): ImplementationGuide {
    return guideTo([...this.byUrl.values()], examples);
  }

  /** One by canonical URL, with or without its version; undefined where there is none, or none of that version. */
  byCanonical(canonical: string): ConformanceResource | undefined {
    const resource = this.unserved(canonical);
    return resource === undefined ? undefined : this.served(resource);
  }

  find(canonical: string): Compiled | undefined {
    const resource = this.unserved(canonical);
    if (resource?.resourceType !== 'StructureDefinition') return undefined;
    const known = this.compiled.get(resource.url) ?? { profile: resource, rules: compileProfile(resource) };
    this.compiled.set(resource.url, known);
    return known;
  }

  /** True for a URL below which only we publish. */
  isOurs(canonical: string): boolean {
    return canonical.startsWith(CANONICAL_BASE);
  }

  /** True where one of our own value sets has the code. */
  hasCode(valueSet: string, system: string | undefined, code: string | undefined): boolean {
    const { compose } = this.unserved(valueSet) as ValueSet;
    return compose!.include.some((include) => {
      if (system !== undefined && system !== include.system) return false;
      const concepts = include.concept ?? (this.unserved(include.system!) as CodeSystem).concept!;
      return concepts.some((concept) => concept.code === code);
    });
  }

  private get byUrl(): ReadonlyMap<string, ConformanceResource> {
    if (this.published !== undefined) return this.published;
    // Kept once it is whole: of a half, every later caller would be told that the rest does not exist.
    const published = new Map<string, ConformanceResource>();
    for (const type of CONFORMANCE_TYPES.filter((one) => one !== 'ImplementationGuide'))
      for (const resource of readResources(join(this.directory, type)) as ConformanceResource[])
        published.set(factsOf(resource).url, resource);
    const guide = guideTo([...published.values()], []);
    return (this.published = published.set(guide.url, guide));
  }

  private unserved(canonical: string): ConformanceResource | undefined {
    const [url, version] = canonical.split('|') as [string, string | undefined];
    const resource = this.byUrl.get(url);
    return version === undefined || (resource && factsOf(resource).version) === version ? resource : undefined;
  }

  /** A definition with its snapshot: HL7's, or one of ours. */
  private definition(url: string): StructureDefinition | undefined {
    const own = this.byUrl.get(url);
    return own?.resourceType === 'StructureDefinition'
      ? (this.served(own) as StructureDefinition)
      : this.definitions.structureDefinition(url);
  }

  private served(resource: ConformanceResource): ConformanceResource {
    if (resource.resourceType !== 'StructureDefinition') return resource;
    const known = this.snapshots.get(resource.url);
    if (known !== undefined) return known;
    const built = {
      ...resource,
      snapshot: { element: buildSnapshot(resource, (url) => this.definition(url)) },
    };
    this.snapshots.set(resource.url, built);
    return built;
  }
}

function readResources(directory: string): Resource[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as Resource);
}

function guideTo(resources: readonly ConformanceResource[], examples: readonly GuideEntry[]): ImplementationGuide {
  const published = resources.filter(({ resourceType }) => resourceType !== 'ImplementationGuide');
  const entries = published.map((resource): GuideEntry => {
    const { title, name, description } = factsOf(resource);
    return { resource, name: title ?? name!, description };
  });
  const [date = ''] = published
    .map((resource) => factsOf(resource).date ?? '')
    .sort()
    .reverse();
  return implementationGuide(CANONICAL_BASE, date, [...entries, ...examples]);
}

/** Where the sources of our profiles are. */
export function profilesDirectory(): string {
  return dataFolder('fhir-profiles');
}
