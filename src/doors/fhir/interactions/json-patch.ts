import type { Resource } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { applyPatch, type PatchOperation } from '../../../standards/fhir/definitions/medplum-core.js';
import { equals } from '../../../standards/fhir/validation/pattern.js';
import { tokensOf, valueAt } from './json-pointer.js';
import { PatchBudget } from './patch-budget.js';

const OPERATIONS = ['add', 'remove', 'replace', 'move', 'copy', 'test'];
const WITH_VALUE = ['add', 'replace', 'test'];
const WITH_SOURCE = ['move', 'copy'];
const OPERATION_LIMIT = 1000;
/** RFC 6901: `~` stands only before 0 or 1. The empty pointer is excluded: a patch does not replace a resource as a whole. */
const POINTER = /^(\/([^~/]|~[01])*)+$/;
const FORBIDDEN = /(^|\/)(__proto__|constructor|prototype)(\/|$)/;

/**
 * The resource with a JSON Patch (RFC 6902) applied to a copy of it. `fhir.patch` where it is not one or does not fit the resource;
 * `fhir.patch_test` where a test does not hold; `request.too_large` where it makes more than a resource holds. All operations or none.
 */
export function patched<T extends Resource>(resource: T, patch: unknown): T {
  const operations = checked(patch);
  const copy = structuredClone(resource);
  const outcomes = run(copy, operations);
  const failed = outcomes.findIndex((outcome) => outcome !== null);
  if (failed !== -1)
    throw operations[failed]!.op === 'test'
      ? new SuturaError('fhir.patch_test', {
          detail: `Operation ${failed + 1}: the test did not hold, so nothing was changed.`,
        })
      : unfit(failed);
  return copy;
}

function run(target: Resource, operations: PatchOperation[]): (Error | null)[] {
  const outcomes: (Error | null)[] = [];
  const budget = new PatchBudget(target);
  for (const [index, operation] of operations.entries()) {
    budget.spend(operation, index);
    outcomes.push(outcomeOf(target, operation));
    if (outcomes.at(-1) !== null) break;
    budget.refuseTooLarge(index);
  }
  return outcomes;
}

function outcomeOf(target: Resource, operation: PatchOperation): Error | null {
  if (!fitsLists(target, operation)) return new Error('index');
  // Medplum's test searches for the shortest edit between the two values, in time that grows with the product of their lengths.
  if (operation.op === 'test')
    return equals(valueAt(target, operation.path), operation.value) ? null : new Error('test');
  try {
    return applyPatch(target, [operation as never])[0] ?? null;
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error('patch');
  }
}

/** Requires an index (RFC 6902 4.1) as the last step into a list; Medplum's patch would take anything else for a member's name. */
function fitsLists(target: Resource, { op, path }: PatchOperation): boolean {
  const inserts = op !== 'remove' && op !== 'replace' && op !== 'test';
  const tokens = tokensOf(path);
  let place: unknown = target;
  return tokens.every((token, at) => {
    if (!Array.isArray(place)) {
      place = (place as Record<string, unknown> | null | undefined)?.[token];
      return true;
    }
    const open = inserts && at === tokens.length - 1;
    if (open && token === '-') return true;
    const limit = place.length + (open ? 1 : 0);
    const fits = /^(0|[1-9]\d{0,8})$/.test(token) && Number(token) < limit;
    place = place[Number(token)];
    return fits;
  });
}

function checked(patch: unknown): PatchOperation[] {
  if (!Array.isArray(patch) || patch.length === 0 || patch.length > OPERATION_LIMIT) {
    throw new SuturaError('fhir.patch', { detail: `A JSON Patch is a list of 1 to ${OPERATION_LIMIT} operations.` });
  }
  patch.forEach((operation: unknown, index) => {
    if (!isOperation(operation)) throw unfit(index);
  });
  return patch as PatchOperation[];
}

function isOperation(operation: unknown): boolean {
  if (typeof operation !== 'object' || operation === null) return false;
  const { op, path, from } = operation as Record<string, unknown>;
  if (typeof op !== 'string' || !OPERATIONS.includes(op) || !isPointer(path)) return false;
  if (WITH_VALUE.includes(op) && !Object.hasOwn(operation, 'value')) return false;
  return !WITH_SOURCE.includes(op) || isPointer(from);
}

function isPointer(path: unknown): boolean {
  return (
    typeof path === 'string' && path.length <= 1024 && POINTER.test(path) && !FORBIDDEN.test(path.replaceAll('~1', '/'))
  );
}

function unfit(index: number): SuturaError {
  return new SuturaError('fhir.patch', {
    detail: `Operation ${index + 1} is not one of JSON Patch (RFC 6902), or its path does not fit the resource.`,
  });
}
