import type { Resource } from '@medplum/fhirtypes';
import type { PatientIdentifier } from '../../../core/patients/patient.js';

/**
 * The resource with bare references to these targets (`Type/id`): no display, no identifier beside them. References by one of the numbers alone lose
 * the number. The very same object where there is nothing to take out.
 */
export function withoutWords<T extends Resource>(
  resource: T,
  targets: ReadonlySet<string>,
  numbers: readonly PatientIdentifier[],
): T {
  return cleaned(resource, (node) => {
    const { reference, identifier } = node;
    if (typeof reference === 'string' && targets.has(reference.split('/_history/')[0]!))
      return identifier === undefined && node['display'] === undefined ? node : { reference };
    if (isLogical(node) && isNumber(identifier, numbers)) return { display: 'erased' };
    return node;
  }) as T;
}

type Node = Readonly<Record<string, unknown>>;

function cleaned(value: unknown, change: (node: Node) => Node): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => cleaned(item, change));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const changed = change(value as Node);
  const entries = Object.entries(changed).map(([name, inner]) => [name, cleaned(inner, change)] as const);
  const isSame = changed === value && entries.every(([name, inner]) => inner === changed[name]);
  return isSame ? value : Object.fromEntries(entries);
}

/** A Reference (R4) that names its target by a number alone. */
function isLogical(node: Node): boolean {
  return Object.keys(node).every((name) => ['id', 'extension', 'type', 'identifier', 'display'].includes(name));
}

function isNumber(identifier: unknown, numbers: readonly PatientIdentifier[]): boolean {
  if (typeof identifier !== 'object' || identifier === null || Array.isArray(identifier)) return false;
  const { system = '', value } = identifier as { readonly system?: string; readonly value?: string };
  return numbers.some((one) => one.system === system && one.value === value);
}
