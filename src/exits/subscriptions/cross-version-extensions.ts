/** Extensions that carry elements of R5 into R4. */
const CROSS_VERSION = 'http://hl7.org/fhir/5.0/';

/**
 * FHIRPath of every extension of R5's elements in the resource. They would change what a Subscription means, and are not understood here.
 * The depth is bounded by the JSON reader (100 levels).
 */
export function crossVersionExtensions(resource: Readonly<Record<string, unknown>>, type: string): readonly string[] {
  const found: string[] = [];
  collect(resource, type, found);
  return found;
}

function collect(value: unknown, path: string, found: string[]): void {
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      collect(item, `${path}[${index}]`, found);
    });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, child] of Object.entries(value)) {
    const isUrl = name === 'url' && /\.(modifierE|e)xtension\[\d+\]$/.test(path);
    if (isUrl && typeof child === 'string' && child.startsWith(CROSS_VERSION)) found.push(path);
    // `_name` carries the extensions of the element `name`.
    else collect(child, `${path}.${name.replace(/^_/, '')}`, found);
  }
}
