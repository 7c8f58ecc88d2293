const MAX_VALUE_SET = 'http://hl7.org/fhir/StructureDefinition/elementdefinition-maxValueSet';

/**
 * The value sets that the definitions bind as required, as `{ url: { system: codes } }`; null in place of codes that R4 does not list (MIME
 * types, currencies), and of a value set that cannot be expanded without a terminology server.
 */
export function requiredValueSets(definitions, terminology) {
  const known = new Map(terminology.map((resource) => [resource.url, resource]));
  const urls = definitions.flatMap(({ snapshot }) => snapshot.element.flatMap(boundValueSets));
  return Object.fromEntries([...new Set(urls)].sort().map((url) => [url, expansion(known.get(url), known)]));
}

function boundValueSets({ binding }) {
  const most = binding?.extension?.find(({ url }) => url === MAX_VALUE_SET)?.valueCanonical;
  const required = binding?.strength === 'required' ? binding.valueSet : undefined;
  return [required, most].filter((url) => url !== undefined).map((url) => url.split('|')[0]);
}

function expansion(valueSet, known) {
  const includes = valueSet?.compose?.include ?? [];
  const isListed = (include) => include.filter === undefined && include.valueSet === undefined;
  if (includes.length === 0 || !includes.every(isListed) || valueSet.compose.exclude !== undefined) return null;
  return Object.fromEntries(includes.map((include) => [include.system, codesOf(include, known)]));
}

function codesOf({ system, concept }, known) {
  if (concept !== undefined) return concept.map(({ code }) => code);
  const codeSystem = known.get(system);
  return codeSystem?.content === 'complete' ? flatten(codeSystem.concept ?? []) : null;
}

function flatten(concepts) {
  return concepts.flatMap(({ code, concept }) => [code, ...flatten(concept ?? [])]);
}
