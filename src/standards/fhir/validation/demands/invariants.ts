import {
  evalFhirPathTyped,
  parseFhirPath,
  toTypedValue,
  UCUM,
  type Constraint,
  type FhirPathAtom,
  type InternalTypeSchema,
} from '../../definitions/medplum-core.js';
import type { Check, Members } from '../check.js';
import { CHECKED_ELSEWHERE, CODED, isThere } from './coded-invariants.js';
import { CORRECTED } from './expression-corrections.js';

const UCUM_VALUE = toTypedValue(UCUM);
const EXISTENCE = /^(\w+)\.(exists|empty)\(\)$/;
/** It only says what a debugger may show. */
const TRACE = /\.trace\('[^']*'(?:, *\w+)?\)/g;

type Shortcut = (value: Members) => boolean;

/** Conditions under which an invariant certainly holds; they cover most resources. */
const SHORTCUTS: ReadonlyMap<string, Shortcut> = new Map<string, Shortcut>([
  ['dom-2', ({ contained }) => contained === undefined],
  ['dom-4', ({ contained }) => contained === undefined],
  ['dom-5', ({ contained }) => contained === undefined],
  ['org-1', ({ identifier, name }) => identifier !== undefined || name !== undefined],
]);

/** How an invariant is asked: in code, by FHIRPath, or in another place. */
export function isAsked({ key, severity }: Constraint): boolean {
  return severity === 'error' && !CHECKED_ELSEWHERE.has(key);
}

/** The expression of an invariant that FHIRPath evaluates; undefined for one that is checked in code. */
export function evaluatedExpression({ key, expression }: Constraint): string | undefined {
  if (CODED.has(key) || CODED.has(expression)) return undefined;
  return (CORRECTED.get(key) ?? expression).replaceAll(TRACE, '');
}

/**
 * An invariant of a type, or of an element of that type, as a check. `schema`: that of the type, where it is no primitive one. Throws for
 * values of a wrong structure, which are refused elsewhere.
 */
export function invariantCheck(constraint: Constraint, type: string, schema: InternalTypeSchema | undefined): Check {
  const { key, expression } = constraint;
  const coded = CODED.get(key) ?? CODED.get(expression);
  if (coded !== undefined) return coded;
  const stated = evaluatedExpression(constraint)!;
  const evaluated = evaluation(stated, type);
  const shortcut = SHORTCUTS.get(key) ?? (schema === undefined ? undefined : existenceShortcut(stated, schema));
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
    .map((part): Shortcut => {
      const name = part![1]!;
      return part![2] === 'exists' ? (value) => value[name] !== undefined : (value) => !isThere(value, name);
    });
  return known.length === 0 ? undefined : (value) => known.some((holds) => holds(value));
}
