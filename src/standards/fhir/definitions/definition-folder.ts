import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { SearchParameter, StructureDefinition } from '@medplum/fhirtypes';
import { CORE_DEFINITIONS, FHIR_RELEASE } from '../types/fhir-release.js';
import { dataFolder } from '../../../platform/config/data-folder.js';

const ENDING = '.json.gz';

/** The codes of a value set by their system; null where the system's codes are not listed in R4 (MIME types, currencies). */
export type ListedCodes = Readonly<Record<string, readonly string[] | null>>;

/** HL7's definitions of R4 in fhir-definitions/, a file each. Read and parsed anew each time: none is kept. */
export class DefinitionFolder {
  private readonly folder = join(dataFolder('fhir-definitions'), FHIR_RELEASE.definitionsFolder);
  readonly types: ReadonlySet<string> = this.namesIn('types');
  /** Abstract ones among them. */
  readonly resources: ReadonlySet<string> = this.namesIn('resources');

  /** By its canonical URL; undefined where HL7 has no such type of data or resource. */
  structureDefinition(url: string): StructureDefinition | undefined {
    if (!url.startsWith(CORE_DEFINITIONS)) return undefined;
    const name = url.slice(CORE_DEFINITIONS.length);
    if (this.types.has(name)) return this.read(`types/${name}`);
    return this.resources.has(name) ? this.read(`resources/${name}`) : undefined;
  }

  /** By the URL of the value set; null where it cannot be listed without a terminology server. */
  requiredValueSets(): Readonly<Record<string, ListedCodes | null>> {
    return this.read('required-value-sets');
  }

  searchParameters(): SearchParameter[] {
    return this.read('search-parameters');
  }

  private namesIn(folder: string): ReadonlySet<string> {
    const files = readdirSync(join(this.folder, folder)).filter((name) => name.endsWith(ENDING));
    return new Set(files.map((name) => name.slice(0, -ENDING.length)).sort());
  }

  private read<T>(name: string): T {
    return JSON.parse(gunzipSync(readFileSync(join(this.folder, `${name}${ENDING}`))).toString('utf8')) as T;
  }
}
