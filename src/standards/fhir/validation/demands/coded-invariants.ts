import type { Coding, Reference } from '@medplum/fhirtypes';
import type { Check, Members } from '../check.js';
import { containedBy, idsWithin, isReferredTo } from './contained.js';
import { equals } from '../pattern.js';
import { compareDates } from './compare-dates.js';

const SLICE_NAME = /^[a-zA-Z0-9/\-_[\]@]+$/;
const ELEMENT_PATH = /^[^\s.,:;'"/|?!@#$%&*()[\]{}]{1,64}(\.[^\s.,:;'"/|?!@#$%&*()[\]{}]{1,64}(\[x\])?(:[^\s.]+)?)*$/;

/** Invariants that are checked in code, by key or, where R4 has the key for several, by expression: Medplum's FHIRPath cannot say them, or they stand on most elements. */
export const CODED: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['ele-1', (value) => hasContent(value)],
  ['ext-1', (value) => isThere(value, 'extension') !== hasChoice(value, 'value')],
  [
    'ref-1',
    (value, { root, resource }) => isResolved((value as Reference).reference, () => idsWithin(root), root !== resource),
  ],
  ['dom-3', (value) => containedBy(value).every((one) => isReferredTo(one, value as Members))],
  ['obs-7', (value) => !hasChoice(value, 'value') || !sharesCode(value)],
  ['per-1', (value) => inOrder(member(value, 'start'), member(value, 'end'))],
  ['rng-2', (value) => isNotAbove(member(value, 'low'), member(value, 'high'))],
  ['mdd-1', (value) => inOrder(member(value, 'whenPrepared'), member(value, 'whenHandedOver'))],
  [
    'lastModified.exists().not() or authoredOn.exists().not() or lastModified >= authoredOn',
    (value) => inOrder(member(value, 'authoredOn'), member(value, 'lastModified')),
  ],
  ['csd-1', (value) => areDistinct(allOf(value, 'concept', 'code'))],
  ['que-2', (value) => areDistinct(allOf(value, 'item', 'linkId'))],
  [
    'sdf-9',
    (value) => rootsOf(value).every((root) => !['label', 'code', 'requirements'].some((name) => isThere(root, name))),
  ],
  ['eld-16', (value) => matches(member(value, 'sliceName'), SLICE_NAME)],
  ['eld-19', (value) => matches(member(value, 'path'), ELEMENT_PATH)],
  [
    'ctm-1',
    (value, { root }) => !isThere(value, 'onBehalfOf') || isPractitioner(member(value, 'member'), containedBy(root)),
  ],
]);

/** Reasons why an invariant is checked in another place. */
export const CHECKED_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['txt-1', 'narrative/ reads the XHTML of each narrative.'],
  ['txt-2', 'narrative/ reads the XHTML of each narrative.'],
]);

/** An element with an id alone says nothing. A value of a primitive type is text, a number or a truth value. */
function hasContent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  for (const key in value) if (key !== 'id') return true;
  return false;
}

function member(value: unknown, name: string): unknown {
  return (value as Members)[name];
}

export function isThere(value: unknown, name: string): boolean {
  return member(value, name) !== undefined || member(value, `_${name}`) !== undefined;
}

function matches(value: unknown, form: RegExp): boolean {
  return typeof value !== 'string' || form.test(value);
}

function hasChoice(value: unknown, base: string): boolean {
  for (const key in value as Members) if (key.startsWith(base) || key.startsWith(`_${base}`)) return true;
  return false;
}

/** True where a component of an Observation has one of its own codes. */
function sharesCode(observation: unknown): boolean {
  const codingsOf = (holder: unknown) => {
    const { coding } = (member(holder, 'code') ?? {}) as { coding?: unknown };
    return Array.isArray(coding) ? (coding as Coding[]) : [];
  };
  const own = codingsOf(observation);
  const components = member(observation, 'component');
  if (own.length === 0 || !Array.isArray(components)) return false;
  return components.flatMap(codingsOf).some((coding) => own.some((each) => equals(coding, each)));
}

/** `#` alone means the container, and only a contained resource has one. */
function isResolved(reference: unknown, ids: () => readonly unknown[], isContained: boolean): boolean {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return true;
  return reference === '#' ? isContained : ids().includes(reference.slice(1));
}

function inOrder(earlier: unknown, later: unknown): boolean {
  if (typeof earlier !== 'string' || typeof later !== 'string') return true;
  const order = compareDates(earlier, later);
  return order !== null && order <= 0;
}

interface Measured {
  readonly value?: unknown;
  readonly system?: unknown;
  readonly code?: unknown;
  readonly unit?: unknown;
}

/** Quantities of different units are not compared: that takes UCUM. */
function isNotAbove(low: unknown, high: unknown): boolean {
  if (low === undefined || high === undefined) return true;
  const [one, other] = [low as Measured, high as Measured];
  const isSameUnit =
    one.code !== undefined && other.code !== undefined
      ? one.code === other.code && one.system === other.system
      : one.unit === other.unit;
  if (!isSameUnit) return true;
  return typeof one.value === 'number' && typeof other.value === 'number' && one.value <= other.value;
}

/** The values of one member of all objects below a list that is nested in itself, such as the concepts of a CodeSystem. */
function allOf(value: unknown, list: string, name: string): unknown[] {
  const items = member(value, list);
  if (!Array.isArray(items)) return [];
  return items.flatMap((item) => [...(isThere(item, name) ? [member(item, name)] : []), ...allOf(item, list, name)]);
}

function areDistinct(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

/** The first elements of a snapshot and of a differential: those without a dot in their path. */
function rootsOf(definition: unknown): unknown[] {
  return ['snapshot', 'differential'].flatMap((name) => {
    const elements = (member(definition, name) as { element?: unknown } | undefined)?.element;
    return Array.isArray(elements) ? elements.filter((each) => !String(member(each, 'path')).includes('.')) : [];
  });
}

/** True, too, where the reference cannot be resolved here. */
function isPractitioner(reference: unknown, contained: readonly Members[]): boolean {
  const stated = (reference as Reference | undefined)?.reference;
  const found = contained.find(({ id }) => stated === `#${String(id)}`);
  return found === undefined || found['resourceType'] === 'Practitioner';
}
