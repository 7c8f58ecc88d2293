import type { StructureDefinition } from '@medplum/fhirtypes';
import { CORE_DEFINITIONS } from '../types/fhir-release.js';
import { SERVED_TYPES } from '../types/served-types.js';
import { DefinitionFolder } from './definition-folder.js';
import { isDataTypeLoaded, loadDataType } from './medplum-core.js';
import { RequiredValueSets } from './required-value-sets.js';

const ABSTRACT = new Set(['Resource', 'DomainResource']);

/** Types of answers and requests, besides the types that are served. */
const WRAPPERS = ['CapabilityStatement', 'Bundle', 'OperationOutcome', 'Parameters'] as const;

/** What Medplum was told in this process. It keeps that globally, so nobody tells it again. */
const told = new Set<string>();

/**
 * HL7's FHIR R4 offline, from fhir-definitions/. Reading is put off until the first use; what it takes is in
 * docs/conformance/fhir-profiles.md. One per process: Medplum keeps the schemas of types globally.
 */
export class R4Definitions {
  private opened: DefinitionFolder | undefined;
  /** Definitions that are served and not read yet, the next one last. */
  private unread: (() => void)[] | undefined;
  readonly valueSets = new RequiredValueSets(() => this.folder.requiredValueSets());

  /** Reads all served definitions that are still unread, now rather than at their first use. */
  prepare(): void {
    while (this.prepareNext());
  }

  /** Reads one more served definition, a few milliseconds of work; false when none is left. */
  prepareNext(): boolean {
    this.unread ??= this.served().reverse();
    this.unread.at(-1)?.();
    this.unread.pop();
    return this.unread.length > 0;
  }

  /** Makes a resource type known to Medplum's validator; false where R4 has no such type, or only an abstract one. */
  ensureType(resourceType: string): boolean {
    this.prepare();
    if (!this.isResourceType(resourceType)) return false;
    if (!isDataTypeLoaded(resourceType)) this.load(resourceType);
    return true;
  }

  /** The types of resources that R4 has, abstract ones left out. */
  resourceTypes(): string[] {
    return [...this.folder.resources].filter((type) => !ABSTRACT.has(type));
  }

  /** HL7's definition of a type of resource or data, by canonical URL, with its snapshot. Parsed anew each time, and not kept. */
  structureDefinition(url: string): StructureDefinition | undefined {
    return this.folder.structureDefinition(url);
  }

  private served(): (() => void)[] {
    return [...this.folder.types, ...SERVED_TYPES, ...WRAPPERS].map((type) => () => this.load(type));
  }

  private isResourceType(name: string): boolean {
    return this.folder.resources.has(name) && !ABSTRACT.has(name);
  }

  private load(type: string): void {
    if (told.has(type)) return;
    const definition = this.structureDefinition(`${CORE_DEFINITIONS}${type}`);
    if (definition === undefined) throw new Error(`R4 has no ${type}.`);
    loadDataType(definition);
    told.add(type);
  }

  private get folder(): DefinitionFolder {
    return (this.opened ??= new DefinitionFolder());
  }
}
