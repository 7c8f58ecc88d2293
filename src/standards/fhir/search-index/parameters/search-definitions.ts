import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SearchParameter } from '@medplum/fhirtypes';
import { DefinitionFolder } from '../../definitions/definition-folder.js';
import { profilesDirectory } from '../../profiles/profile-library.js';
import { COMMON_PARAMETERS, SEARCHED_TYPES, typeParameters } from '../../types/type-parameters.js';

/** The SearchParameter resources of the parameters that are offered: HL7's, and ours from fhir-profiles/. By `Type.name`. */
export function readSearchDefinitions(): ReadonlyMap<string, SearchParameter> {
  const offered = new Map<string, SearchParameter>();
  const byBase = new Map(
    [...new DefinitionFolder().searchParameters(), ...readOwn()].flatMap((definition) =>
      definition.base!.map((base) => [`${base}.${definition.code}`, definition]),
    ),
  );
  for (const type of SEARCHED_TYPES) {
    for (const name of [...COMMON_PARAMETERS, ...typeParameters(type)!.names]) {
      const definition = byBase.get(`${type}.${name}`) ?? byBase.get(`Resource.${name}`);
      if (definition === undefined) throw new Error(`There is no search parameter ${name} of ${type}.`);
      offered.set(`${type}.${name}`, definition);
    }
  }
  return offered;
}

function readOwn(): SearchParameter[] {
  const folder = join(profilesDirectory(), 'SearchParameter');
  return readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as SearchParameter);
}
