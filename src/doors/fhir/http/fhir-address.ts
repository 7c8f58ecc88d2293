/** The target of an address below the base. Types and ids are as they were sent; whether they exist is checked later. */
export type FhirAddress =
  | { readonly kind: 'base' }
  | { readonly kind: 'metadata' }
  | { readonly kind: 'type'; readonly type: string }
  | { readonly kind: 'search'; readonly type: string }
  | { readonly kind: 'instance'; readonly type: string; readonly id: string }
  | { readonly kind: 'history'; readonly type: string; readonly id: string }
  /** History of a type; null: of all types. */
  | { readonly kind: 'changes'; readonly type: string | null }
  | { readonly kind: 'version'; readonly type: string; readonly id: string; readonly version: string }
  | { readonly kind: 'operation'; readonly name: string; readonly type: string | null; readonly id: string | null };

const TYPE = /^[A-Z][A-Za-z]*$/;
const OPERATION = /^\$[a-z][a-z0-9-]*$/;

/** Reads the path below the base (R4 http.html 3.1.0.1.2); null where no route of FHIR has this form. */
export function parseAddress(path: string): FhirAddress | null {
  const segments = segmentsOf(path);
  if (segments === null) return null;
  const [first, second, third, fourth] = segments;
  if (first === undefined) return { kind: 'base' };
  const operation = segments.at(-1)!;
  if (OPERATION.test(operation)) return operationAddress(operation.slice(1), segments.slice(0, -1));
  if (segments.length === 1 && first === '_history') return { kind: 'changes', type: null };
  if (segments.length === 1)
    return first === 'metadata' ? { kind: 'metadata' } : TYPE.test(first) ? { kind: 'type', type: first } : null;
  if (!TYPE.test(first)) return null;
  if (segments.length === 2 && second === '_history') return { kind: 'changes', type: first };
  if (segments.length === 2)
    return second === '_search'
      ? { kind: 'search', type: first }
      : isName(second)
        ? { kind: 'instance', type: first, id: second }
        : null;
  if (!isName(second) || third !== '_history') return null;
  if (segments.length === 3) return { kind: 'history', type: first, id: second };
  return segments.length === 4 && isName(fourth) ? { kind: 'version', type: first, id: second, version: fourth } : null;
}

function operationAddress(name: string, before: readonly string[]): FhirAddress | null {
  const [type = null, id = null, ...more] = before;
  if (more.length > 0 || (type !== null && !TYPE.test(type)) || (id !== null && !isName(id))) return null;
  return { kind: 'operation', name, type, id };
}

/** Neither empty nor one of the names that R4 reserves. */
function isName(segment: string | undefined): segment is string {
  return segment !== undefined && segment !== '' && !/^[_$]/.test(segment);
}

/** A slash at the end counts for nothing; null for a malformed percent-encoding. */
function segmentsOf(path: string): string[] | null {
  const trimmed = path.replace(/^\//, '').replace(/\/$/, '');
  if (trimmed === '') return [];
  try {
    return trimmed.split('/').map(decodeURIComponent);
  } catch {
    return null;
  }
}
