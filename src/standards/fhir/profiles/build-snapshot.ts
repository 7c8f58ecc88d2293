import type { ElementDefinition, StructureDefinition } from '@medplum/fhirtypes';

type Definitions = (url: string) => StructureDefinition | undefined;

/**
 * The snapshot of a profile: its base's, with the differential laid over it (R4 profiling, 5.1.0.4). A slice starts as a copy of the
 * unsliced element and its children; below an element of a data type, that type's own elements are unfolded first.
 * Throws where the base, or the place of an element, is not known.
 */
export function buildSnapshot(profile: StructureDefinition, definitions: Definitions): ElementDefinition[] {
  const base = definitions(profile.baseDefinition!);
  if (base?.snapshot === undefined)
    throw new Error(`${profile.url}: the base ${profile.baseDefinition!} is not known.`);
  const elements = structuredClone(base.snapshot.element);
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

/** The children of an element's data type, put behind it. */
function unfold(elements: ElementDefinition[], at: number, definitions: Definitions): void {
  const parent = elements[at]!;
  const type = definitions(`http://hl7.org/fhir/StructureDefinition/${parent.type![0]!.code!}`)!;
  const [root, ...children] = type.snapshot!.element;
  const rerooted = (text: string, from: string, to: string) => `${to}${text.slice(from.length)}`;
  const copies = children.map((child) => ({
    ...structuredClone(child),
    id: rerooted(child.id!, root!.id!, parent.id!),
    path: rerooted(child.path!, root!.path!, parent.path!),
  }));
  elements.splice(at + 1, 0, ...copies);
}

/** The differential overrides the base; its constraints are added to those of the base. */
function merge(base: ElementDefinition, difference: ElementDefinition): ElementDefinition {
  const constraint = [...(base.constraint ?? []), ...(difference.constraint ?? [])];
  return { ...base, ...structuredClone(difference), ...(constraint.length === 0 ? {} : { constraint }) };
}
