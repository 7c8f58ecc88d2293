import { at, listAt, referencesIn, textAt, type Resource } from '../json.js';
import type { Issue } from '../outcome.js';
import type { Surroundings } from '../surroundings.js';

/** `Type/id` without the version that may follow. */
export const LOCAL = /^([A-Z][A-Za-z]+)\/([A-Za-z0-9.-]{1,64})(?:\/_history\/[A-Za-z0-9.-]{1,64})?$/;

export function required(text: string, expression: string): Issue {
  return { code: 'required', text, expression };
}

export function invalid(text: string, expression: string): Issue {
  return { code: 'business-rule', text, expression };
}

/** What no EHR takes: no patient of this EHR, references that lead nowhere or into another chart, a replacement of nothing. */
export function checkBase(resource: Resource, surroundings: Surroundings): readonly Issue[] {
  return [
    ...subjectFaults(resource, surroundings),
    ...referenceFaults(resource, surroundings),
    ...encounterFaults(resource, surroundings),
    ...replacementFaults(resource, surroundings),
  ];
}

/** The patient of a resource as `Patient/id`, wherever its type has it. */
export function patientOf(resource: Resource): string | undefined {
  const stated = textAt(resource, 'subject', 'reference') ?? textAt(resource, 'patient', 'reference');
  return stated?.startsWith('Patient/') === true ? stated : undefined;
}

/** The visits of a resource as `Encounter/id`. */
export function encountersOf(resource: Resource): readonly string[] {
  const all = [at(resource, 'encounter'), ...listAt(resource, 'context', 'encounter')];
  return all.flatMap((one) => textAt(one, 'reference') ?? []);
}

const WITHOUT_PATIENT = ['Binary', 'Device', 'Provenance'];

function subjectFaults(resource: Resource, { chart }: Surroundings): readonly Issue[] {
  if (WITHOUT_PATIENT.includes(resource.resourceType)) return [];
  const patient = patientOf(resource);
  if (patient === undefined)
    return [required('A Patient of this server must be the subject, by reference.', 'subject')];
  return chart.current(patient) === undefined ? [invalid(`There is no ${patient}.`, 'subject')] : [];
}

function referenceFaults(resource: Resource, { chart }: Surroundings): readonly Issue[] {
  const contained = new Set(listAt(resource, 'contained').map((one) => `#${textAt(one, 'id') ?? ''}`));
  const patient = patientOf(resource);
  return [...referencesIn(resource)].flatMap(({ path, reference }): readonly Issue[] => {
    if (reference.startsWith('#'))
      return contained.has(reference) ? [] : [invalid(`${reference} is not contained.`, path)];
    const [, type, id] = LOCAL.exec(reference) ?? [];
    if (type === undefined) return [invalid(`${path} is no reference that this server can resolve.`, path)];
    const found = chart.current(`${type}/${id!}`);
    if (found === undefined) return [invalid(`There is no ${type}/${id!}.`, path)];
    const theirs = patientOf(found);
    const isForeign = theirs !== undefined && patient !== undefined && theirs !== patient;
    return isForeign ? [invalid(`${type}/${id!} is of another patient.`, path)] : [];
  });
}

/** A visit must be one of this patient, and must not have been entered in error. */
function encounterFaults(resource: Resource, { chart }: Surroundings): readonly Issue[] {
  return encountersOf(resource).flatMap((reference) =>
    textAt(chart.current(reference), 'status') === 'entered-in-error'
      ? [invalid(`${reference} was entered in error.`, 'encounter')]
      : [],
  );
}

/** What a document replaces, as `DocumentReference/id`. */
export function replacedBy(resource: Resource): readonly string[] {
  return listAt(resource, 'relatesTo').flatMap((one) =>
    textAt(one, 'code') === 'replaces' ? (textAt(one, 'target', 'reference') ?? []) : [],
  );
}

function replacementFaults(resource: Resource, { chart, interaction }: Surroundings): readonly Issue[] {
  if (interaction !== 'create') return [];
  return replacedBy(resource).flatMap((reference) =>
    textAt(chart.current(reference), 'status') === 'superseded'
      ? [invalid(`${reference} was replaced before (XDSReplaceFailed).`, 'relatesTo')]
      : [],
  );
}

/** Refusals of documents whose bytes are not inline in exactly one content of an accepted type; an update may name the bytes that are here. */
export function contentFaults(
  resource: Resource,
  accepted: readonly string[],
  { interaction, chart }: Surroundings,
): readonly Issue[] {
  const contents = listAt(resource, 'content');
  if (contents.length !== 1) return [invalid('Exactly one content is taken.', 'DocumentReference.content')];
  const attachment = at(contents[0], 'attachment');
  const [mediaType = ''] = (textAt(attachment, 'contentType') ?? '').split(';');
  if (!accepted.includes(mediaType.trim()))
    return [invalid(`Only ${accepted.join(', ')} is taken.`, 'DocumentReference.content.attachment.contentType')];
  if (textAt(attachment, 'data') !== undefined) return [];
  const kept = /\/(Binary\/[A-Za-z0-9.-]+)$/.exec(textAt(attachment, 'url') ?? '')?.[1];
  return interaction === 'update' && kept !== undefined && chart.current(kept) !== undefined
    ? []
    : [required('The bytes must stand inline.', 'DocumentReference.content.attachment.data')];
}
