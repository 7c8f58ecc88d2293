import type { Resource } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { PatchOperation } from '../../../standards/fhir/definitions/medplum-core.js';
import { RESOURCE_LIMITS, weigh } from '../../../standards/fhir/validation/resource-weight.js';
import { valueAt } from './json-pointer.js';

/** Levels that a resource may have while it is patched; validation allows fewer (json-form-check.ts). */
export const DEPTH_LIMIT = 128;
/** Values that all operations together copy, compare or add: ten resources full of them. */
const WORK_LIMIT = 10 * RESOURCE_LIMITS.values;
/** Characters that all operations together copy. Added characters arrived as bytes; copied ones cost work that the request does not show. */
const COPIED_CHARACTERS_LIMIT = RESOURCE_LIMITS.characters;

/**
 * Bounds the result of a JSON Patch. A copy of a copy doubles what is there each time: 26 copies turn a kilobyte into 64 GB. So what an
 * operation adds is counted before it is made, and what it has made is weighed.
 */
export class PatchBudget {
  private work = 0;
  private copiedCharacters = 0;
  /** An upper bound: removed values are not subtracted until the exact number is needed. */
  private values: number;
  private depth: number;

  constructor(private readonly target: Resource) {
    ({ values: this.values, depth: this.depth } = weigh(target));
  }

  /** Counts the values that the operation copies, compares or adds. `request.too_large`. */
  spend({ op, ...operation }: PatchOperation, index: number): void {
    if (op === 'remove') return;
    const { from, path, value } = operation as { from?: string; path: string; value?: unknown };
    const weight = weigh(op === 'copy' || op === 'move' ? valueAt(this.target, from!) : value, RESOURCE_LIMITS.values);
    this.work += weight.values;
    if (op === 'copy') this.copiedCharacters += weight.characters;
    if (
      weight.values > RESOURCE_LIMITS.values ||
      this.work > WORK_LIMIT ||
      this.copiedCharacters > COPIED_CHARACTERS_LIMIT
    )
      throw tooMuch(index);
    if (op === 'test') return;
    if (op !== 'move') this.values += weight.values;
    this.depth = Math.max(this.depth, path.split('/').length + weight.depth);
  }

  /** `request.too_large` where the resource exceeds its limits after the operation. */
  refuseTooLarge(index: number): void {
    if (this.values <= RESOURCE_LIMITS.values && this.depth <= DEPTH_LIMIT) return;
    ({ values: this.values, depth: this.depth } = weigh(this.target));
    this.work += this.values;
    if (this.values > RESOURCE_LIMITS.values || this.depth > DEPTH_LIMIT) throw tooMuch(index);
  }
}

function tooMuch(index: number): SuturaError {
  return new SuturaError('request.too_large', {
    detail: `Operation ${index + 1} of the patch makes more than a resource may hold. Send what it adds in parts, or replace the resource.`,
  });
}
