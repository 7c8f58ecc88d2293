// Derives fhir-definitions/r4 from HL7's definitions of R4 in the Maven artifact that HAPI publishes them in.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { JsonForm } from './fhir-definitions/json-form.mjs';
import { parseXml } from './fhir-definitions/parse-xml.mjs';
import { readJar } from './fhir-definitions/read-jar.mjs';
import { requiredValueSets } from './fhir-definitions/value-sets.mjs';

const TARGET = fileURLToPath(new URL('../fhir-definitions/r4', import.meta.url));
const ARTIFACT = 'ca.uhn.hapi.fhir:hapi-fhir-validation-resources-r4';
const FOLDER = 'org/hl7/fhir/r4/model/';
const STRUCTURES = ['profile/profiles-types.xml', 'profile/profiles-resources.xml'];
const TERMINOLOGY = ['valueset/valuesets.xml', 'valueset/v2-tables.xml', 'valueset/v3-codesystems.xml'];
const SEARCH_PARAMETERS = 'sp/search-parameters.json';
const SOURCES = [...STRUCTURES, ...TERMINOLOGY, SEARCH_PARAMETERS];
const USAGE = `Usage: node scripts/fhir-definitions.mjs JAR

JAR  ${ARTIFACT}, from Maven Central
`;

const [path] = process.argv.slice(2);
if (path === undefined) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else derive(readFileSync(path));

function derive(jar) {
  const files = readJar(jar, FOLDER);
  const read = (name) => resourcesOf(parseXml(files.get(name)));
  const structures = STRUCTURES.flatMap(read).filter(({ name }) => name === 'StructureDefinition');
  const form = new JsonForm(structures);
  const definitions = structures.map((structure) => withoutDifferential(form.resource(structure)));
  const terminology = TERMINOLOGY.flatMap(read)
    .filter(({ name }) => name === 'CodeSystem' || name === 'ValueSet')
    .map((node) => form.resource(node));
  rmSync(TARGET, { recursive: true, force: true });
  for (const definition of definitions)
    write(`${definition.kind === 'resource' ? 'resources' : 'types'}/${definition.id}`, definition);
  write('required-value-sets', requiredValueSets(definitions, terminology));
  write('search-parameters', searchParametersOf(files.get(SEARCH_PARAMETERS)));
  writeFileSync(join(TARGET, 'source.json'), `${JSON.stringify(sourceOf(jar, files, definitions), null, 2)}\n`);
  process.stdout.write(`${definitions.length} definitions in ${TARGET}\n`);
}

function resourcesOf(bundle) {
  return bundle.children
    .filter(({ name }) => name === 'entry')
    .flatMap(({ children }) => children.filter(({ name }) => name === 'resource'))
    .map(({ children }) => children[0]);
}

/** A definition of R4 is used by its snapshot. */
function withoutDifferential({ differential: _, ...definition }) {
  return definition;
}

function searchParametersOf(text) {
  return JSON.parse(text).entry.map(({ resource: { text: _, ...parameter } }) => parameter);
}

/** Says where the definitions come from, so that the same archive makes them again. */
function sourceOf(jar, files, definitions) {
  return {
    fhirVersion: definitions[0].fhirVersion,
    publisher: definitions[0].publisher,
    licence: 'CC0-1.0',
    artifact: ARTIFACT,
    sha256: sha256(jar),
    files: Object.fromEntries(SOURCES.map((name) => [name, sha256(files.get(name))])),
  };
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

function write(name, value) {
  const file = join(TARGET, `${name}.json.gz`);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, gzipSync(JSON.stringify(value), { level: 9 }));
}
