import {
  evalFhirPathTyped,
  parseFhirPath,
  toTypedValue,
  UCUM,
  type Constraint,
  type FhirPathAtom,
  type InternalTypeSchema,
} from '../../definitions/medplum-core.js';
import { LOOK_CLOSER, type Check, type Members } from './check.js';

/** Invariants that Medplum 5.2.13 evaluates nowhere; a test says so. */
const NOT_ASKED = new Set(['ele-1', 'dom-3', 'org-1', 'sdf-19']);
const UCUM_VALUE = toTypedValue(UCUM);
const EXISTENCE = /^(\w+)\.(exists|empty)\(\)$/;

type Shortcut = (value: Members) => boolean;

const withoutContained: Shortcut = ({ contained }) => contained === undefined;
/** Conditions, by the text of an invariant, under which it certainly holds; they cover most resources. */
const SHORTCUTS: ReadonlyMap<string, Shortcut> = new Map([
  ['contained.contained.empty()', withoutContained],
  ['contained.meta.versionId.empty() and contained.meta.lastUpdated.empty()', withoutContained],
  ['contained.meta.security.empty()', withoutContained],
  [
    'value.empty() or component.code.where(coding.intersect(%resource.code.coding).exists()).empty()',
    ({ component }) => component === undefined,
  ],
  ['extension.exists() != value.exists()', hasValueOrExtensions],
]);

/**
 * The invariants of an element, or of a type, on values of a type that have passed everything else. Some are seen to hold without
 * Other expressions are FHIRPath, evaluated as Medplum's validator does.
 */
export function invariantChecks(
  constraints: readonly Constraint[] | undefined,
  type: string,
  schema: InternalTypeSchema | undefined,
): Check[] {
  const asked = (constraints ?? []).filter(({ key, severity }) => severity === 'error' && !NOT_ASKED.has(key));
  return asked.map(({ expression }) => invariantCheck(expression, type, schema));
}

function invariantCheck(expression: string, type: string, schema: InternalTypeSchema | undefined): Check {
  // It would be traced twice where the exact way follows.
  if (expression.includes('.trace(')) return LOOK_CLOSER;
  const evaluated = evaluation(expression, type);
  const shortcut =
    SHORTCUTS.get(expression) ?? (schema === undefined ? undefined : existenceShortcut(expression, schema));
  return shortcut === undefined
    ? evaluated
    : (value, walk, depth) => shortcut(value as Members) || evaluated(value, walk, depth);
}

/** The expression itself, parsed when it is first needed. */
function evaluation(expression: string, type: string): Check {
  let atom: FhirPathAtom | undefined;
  return (value, walk) => {
    atom ??= parseFhirPath(expression);
    const input = { type, value };
    const variables = {
      '%context': input,
      '%ucum': UCUM_VALUE,
      '%resource': toTypedValue(walk.resource),
      '%rootResource': toTypedValue(walk.root),
    };
    const found = evalFhirPathTyped(atom, [input], variables);
    return found.length === 1 && found[0]!.value === true;
  };
}

/** `low.exists() or high.exists()`, `orderDetail.empty() or code.exists()`: one that is true is enough. Choices are left to FHIRPath. */
function existenceShortcut(expression: string, { elements }: InternalTypeSchema): Shortcut | undefined {
  const parts = expression.split(' or ').map((part) => EXISTENCE.exec(part));
  if (parts.includes(null)) return undefined;
  const known = parts
    .filter((part) => part![1]! in elements)
    .map((part): Shortcut => (part![2] === 'exists' ? isThere(part![1]!) : isAbsent(part![1]!)));
  return known.length === 0 ? undefined : (value) => known.some((holds) => holds(value));
}

function isThere(name: string): Shortcut {
  return (value) => value[name] !== undefined;
}

function isAbsent(name: string): Shortcut {
  const extended = `_${name}`;
  return (value) => value[name] === undefined && value[extended] === undefined;
}

function hasValueOrExtensions(extension: Members): boolean {
  let hasValue = false;
  for (const key in extension) {
    if (key.startsWith('_value')) return false;
    hasValue ||= key.startsWith('value');
  }
  return (extension['extension'] !== undefined) !== hasValue;
}
