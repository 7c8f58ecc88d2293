/** What lies in a chart as lines for people: documents with their bytes, reports and figures. */
export function chartText(resources) {
  return resources
    .map((resource) => `${`${resource.resourceType}/${resource.id}`.padEnd(30)} ${wordsOf(resource)}`)
    .join('\n');
}

function wordsOf(resource) {
  const { resourceType, status, meta } = resource;
  const version = meta?.versionId === undefined ? '' : `, version ${meta.versionId} there`;
  switch (resourceType) {
    case 'DocumentReference':
      return `${status}${version}: ${documentWords(resource)}`;
    case 'Observation':
      return `${status}${version}: ${nameOf(resource.code)} ${valueOf(resource)}`.trimEnd();
    default:
      return `${status}${version}: ${nameOf(resource.code)}`;
  }
}

function documentWords({ type, content, relatesTo = [] }) {
  const { contentType, data, url } = content[0].attachment;
  const size = data === undefined ? `at ${url}` : `${Math.ceil(Buffer.byteLength(data, 'base64') / 1024)} kB`;
  const replaced = relatesTo
    .filter(({ code }) => code === 'replaces')
    .map(({ target }) => ` in place of ${target.reference}`);
  return `${nameOf(type)}, ${contentType}, ${size}${replaced.join(',')}`;
}

function valueOf({ valueQuantity, valueCodeableConcept, valueString, valueInteger }) {
  if (valueQuantity !== undefined)
    return `${valueQuantity.value} ${valueQuantity.unit ?? valueQuantity.code ?? ''}`.trim();
  if (valueCodeableConcept !== undefined) return nameOf(valueCodeableConcept);
  return String(valueString ?? valueInteger ?? '');
}

function nameOf({ text, coding = [] } = {}) {
  // A site's own code stands last and often without a name.
  const named = coding.find(({ display }) => display !== undefined) ?? coding[0];
  return text ?? named?.display ?? named?.code ?? '';
}
