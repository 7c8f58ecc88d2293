import type { ElementDefinition, ElementDefinitionBinding, Extension, StructureDefinition } from '@medplum/fhirtypes';
import { CORE_DEFINITIONS } from '../types/fhir-release.js';

type Definitions = (url: string) => StructureDefinition | undefined;

/** Extensions that tell of a definition and not of what is made of it; HL7's generator leaves them out, too. */
const NOT_INHERITED = new Set(
  [
    'structuredefinition-standards-status',
    'structuredefinition-normative-version',
    'structuredefinition-fmm',
    'structuredefinition-explicit-type-name',
    'elementdefinition-isCommonBinding',
  ].map((name) => `${CORE_DEFINITIONS}${name}`),
);

/**
 * The snapshot of a profile: its base's, with the differential laid over it (R4 profiling, 5.1.0.4). A slice starts as a copy of the
 * unsliced element and its children; below an element of a data type, the elements of that type are unfolded first, or those of its
 * profile where the element names one.
 * Throws where the base, or the place of an element, is not known.
 */
export function buildSnapshot(profile: StructureDefinition, definitions: Definitions): ElementDefinition[] {
  const base = definitions(profile.baseDefinition!);
  if (base?.snapshot === undefined)
    throw new Error(`${profile.url}: the base ${profile.baseDefinition!} is not known.`);
  const elements = base.snapshot.element.map((element) => inherited(element, base));
  for (const difference of profile.differential!.element) {
    const at = locate(elements, difference.id!, definitions, profile.url);
    elements[at] = merge(elements[at]!, difference);
  }
  return elements;
}

/** The index of the element of this id, made where the base has none of its own. */
function locate(elements: ElementDefinition[], id: string, definitions: Definitions, profile: string): number {
  const at = elements.findIndex((element) => element.id === id);
  if (at !== -1) return at;
  const parentId = id.slice(0, id.lastIndexOf('.'));
  const step = id.slice(parentId.length + 1);
  if (step.includes(':')) return startSlice(elements, `${parentId}.${step.split(':')[0]!}`, id, definitions, profile);
  if (parentId === '') throw new Error(`${profile}: ${id} has no place in its base.`);
  const parent = locate(elements, parentId, definitions, profile);
  if (elements.some((element) => element.id!.startsWith(`${parentId}.`)))
    throw new Error(`${profile}: ${id} is no element of its base.`);
  unfold(elements, parent, definitions);
  return locate(elements, id, definitions, profile);
}

function startSlice(
  elements: ElementDefinition[],
  slicedId: string,
  id: string,
  definitions: Definitions,
  profile: string,
): number {
  const sliced = locate(elements, slicedId, definitions, profile);
  const { slicing: _, ...unsliced } = elements[sliced]!;
  const children = elements.filter((element) => element.id!.startsWith(`${slicedId}.`));
  const copies = [{ ...unsliced, sliceName: id.slice(id.lastIndexOf(':') + 1) }, ...children].map((element) => ({
    ...structuredClone(element),
    id: `${id}${element.id!.slice(slicedId.length)}`,
  }));
  const after =
    elements.findLastIndex(
      (element) =>
        element.id === slicedId || element.id!.startsWith(`${slicedId}.`) || element.id!.startsWith(`${slicedId}:`),
    ) + 1;
  elements.splice(after, 0, ...copies);
  return after;
}

/** The children of an element's data type, or of the profile of it that the element names, put behind it. */
function unfold(elements: ElementDefinition[], at: number, definitions: Definitions): void {
  const parent = elements[at]!;
  const { code, profile } = parent.type![0]!;
  const type =
    (profile === undefined ? undefined : definitions(profile[0]!)) ?? definitions(`${CORE_DEFINITIONS}${code!}`)!;
  const [root, ...children] = type.snapshot!.element.map((element) => inherited(element, type));
  const rerooted = (text: string, from: string, to: string) => `${to}${text.slice(from.length)}`;
  const copies = children.map((child) => ({
    ...child,
    id: rerooted(child.id!, root!.id!, parent.id!),
    path: rerooted(child.path!, root!.path!, parent.path!),
  }));
  elements.splice(at + 1, 0, ...copies);
}

/** An element of another definition as it stands in a snapshot made of that. */
function inherited(element: ElementDefinition, { url, type }: StructureDefinition): ElementDefinition {
  const { extension, binding, mapping, contentReference, ...more } = withSource(structuredClone(element), url);
  return {
    ...more,
    ...withExtensions(extension),
    ...(contentReference?.startsWith('#') ? { contentReference: `${CORE_DEFINITIONS}${type}${contentReference}` } : {}),
    ...(contentReference?.startsWith('#') === false ? { contentReference } : {}),
    ...(binding === undefined ? {} : { binding: inheritedBinding(binding) }),
    // Some of HL7's end with a blank, which R4 does not allow in a string.
    ...(mapping === undefined ? {} : { mapping: mapping.map((each) => ({ ...each, map: each.map?.trimEnd() })) }),
  } as ElementDefinition;
}

function inheritedBinding({ extension, ...binding }: ElementDefinitionBinding): ElementDefinitionBinding {
  return { ...withExtensions(extension), ...binding };
}

function withExtensions(extension: Extension[] | undefined): { extension?: Extension[] } {
  const kept = extension?.filter(({ url }) => !NOT_INHERITED.has(url)) ?? [];
  return kept.length === 0 ? {} : { extension: kept };
}

/** Constraints say which definition they are of. */
function withSource(element: ElementDefinition, url: string): ElementDefinition {
  const { constraint } = element;
  return constraint === undefined
    ? element
    : { ...element, constraint: constraint.map((each) => ({ ...each, source: each.source ?? url })) };
}

/** The differential overrides the base; its constraints are added to those of the base. */
function merge(base: ElementDefinition, difference: ElementDefinition): ElementDefinition {
  const constraint = [...(base.constraint ?? []), ...(difference.constraint ?? [])];
  return { ...base, ...structuredClone(difference), ...(constraint.length === 0 ? {} : { constraint }) };
}
