import { OutcomeError } from '../outcome/outcome-error.js';
import type { ElementType, TableElement } from './element-table.js';
import type { Namespaces } from './namespaces.js';

export type Members = Record<string, unknown>;
export type Primitive = string | number | boolean;

/** What may stand in an element: elements, one resource, XHTML, or anything, which is not read. `value`: id and extensions of a primitive. */
export type Holding = 'elements' | 'value' | 'resource' | 'xhtml' | 'anything';

/** An element that is open. */
export class Frame {
  /** The value of a primitive. */
  primitive: Primitive | undefined = undefined;
  children = 0;
  /** Its place in a list; -1: it stands alone. */
  index = -1;
  /** The last of its elements. */
  last: TableElement | null = null;
  /** Of lists in it a null keeps a place. */
  hasNulls = false;

  constructor(
    /** As it is written. */
    readonly name: string,
    readonly holds: Holding,
    readonly namespaces: Namespaces,
    /** What its elements and attributes become members of. */
    readonly value: Members,
    readonly type: ElementType | null,
    /** What it is in the frame below; null: a resource, or what is not read. */
    readonly element: TableElement | null,
  ) {}
}

/** The place of the innermost frame, as FHIRPath from the type of the root on, and as XPath. */
export function placesOf(frames: readonly Frame[]): { readonly expression: string; readonly location: string } {
  let [expression, location] = ['', ''];
  for (const { element, index, holds, value } of frames) {
    if (element !== null) {
      expression += `.${element.name}${index === -1 ? '' : `[${index}]`}`;
      location += `/f:${element.name}${index === -1 ? '' : `[${index + 1}]`}`;
    } else if (holds === 'elements') {
      const type = String(value['resourceType']);
      if (expression === '') expression = type;
      location += `/f:${type}`;
    }
  }
  return { expression: expression === '' ? 'Resource' : expression, location };
}

/** `fhir.structure`: what JSON could not say, at the innermost of these. */
export function structureFault(frames: readonly Frame[], details: string): OutcomeError {
  const { expression, location } = placesOf(frames);
  return new OutcomeError('fhir.structure', [
    { severity: 'error', code: 'structure', expression, details, ...(location === '' ? {} : { location }) },
  ]);
}
