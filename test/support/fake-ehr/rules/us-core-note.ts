import { codingsOf, listAt, textAt, type Resource } from '../json.js';
import type { Issue } from '../outcome.js';
import type { Surroundings } from '../surroundings.js';
import { checkBase, contentFaults, invalid, required } from './base.js';

const CATEGORY = 'http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category';

/** US Core, "Writing Clinical Notes": a DocumentReference of the category clinical-note, text or PDF inline. */
export function checkUsCoreNote(resource: Resource, surroundings: Surroundings): readonly Issue[] {
  if (resource.resourceType !== 'DocumentReference') return checkBase(resource, surroundings);
  return [
    ...checkBase(resource, surroundings),
    ...contentFaults(resource, ['text/plain', 'application/pdf'], surroundings),
    ...noteFaults(resource),
    ...statusFaults(resource, surroundings),
  ];
}

function noteFaults(resource: Resource): readonly Issue[] {
  const isNote = codingsOf(resource['category']).some(
    ({ system, code }) => system === CATEGORY && code === 'clinical-note',
  );
  const hasType = codingsOf(resource['type']).some(({ system }) => system === 'http://loinc.org');
  return [
    ...(isNote ? [] : [required(`A category of ${CATEGORY} must be clinical-note.`, 'DocumentReference.category')]),
    ...(hasType ? [] : [required('The type must be a LOINC code.', 'DocumentReference.type')]),
    ...(listAt(resource, 'author').length > 0 ? [] : [required('There is no author.', 'DocumentReference.author')]),
    ...(textAt(resource, 'date') === undefined ? [required('There is no date.', 'DocumentReference.date')] : []),
  ];
}

/** A note is created as current; later it can only be entered in error. */
function statusFaults(resource: Resource, { interaction }: Surroundings): readonly Issue[] {
  const status = textAt(resource, 'status');
  if (interaction === 'create' && status !== 'current')
    return [invalid('A note is created as current.', 'DocumentReference.status')];
  return interaction === 'update' && status !== 'entered-in-error'
    ? [invalid('A note is not changed: send a new one that replaces it.', 'DocumentReference.status')]
    : [];
}
