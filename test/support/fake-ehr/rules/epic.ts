import { at, codingsOf, listAt, textAt, type Resource } from '../json.js';
import type { Fault } from '../faults.js';
import { outcomeOf, type Issue } from '../outcome.js';
import type { Surroundings } from '../surroundings.js';
import { checkBase, contentFaults, encountersOf, invalid, patientOf, required } from './base.js';

const ERRORS = 'urn:oid:1.2.840.114350.1.13.0.1.7.2.657369';

/** An answer by one of Epic's own numbers, for what the chart cannot show: 59177, the filing of a wound's row failed. */
export function epicRefusal(code: number): Fault {
  const headers = { 'content-type': 'application/fhir+json' };
  const json = outcomeOf([epicIssue(code, 'Simulated.')]);
  return { kind: 'answer', answer: { status: 400, headers, json } };
}

/** 59187 and 59188: the code or unit is mapped to no row; 59141: the value is there already. */
function epicIssue(code: number, text: string): Issue {
  return { code: 'business-rule', text, coding: { system: ERRORS, code: String(code) } };
}

/** Epic R4: notes as plain text in a visit; Observations as flowsheet rows that the site mapped. */
export function checkEpic(resource: Resource, surroundings: Surroundings): readonly Issue[] {
  const base = checkBase(resource, surroundings);
  if (resource.resourceType === 'DocumentReference') return [...base, ...noteFaults(resource, surroundings)];
  if (resource.resourceType === 'Observation') return [...base, ...rowFaults(resource, surroundings)];
  return base;
}

/** The EHR numbers notes itself, and has no place for an identifier of others. */
export function keepEpic(resource: Resource): Resource {
  if (resource.resourceType !== 'DocumentReference') return resource;
  const { identifier: _identifier, masterIdentifier: _master, ...kept } = resource;
  return kept as Resource;
}

function noteFaults(resource: Resource, surroundings: Surroundings): readonly Issue[] {
  return [
    ...contentFaults(resource, ['text/plain'], surroundings),
    ...(encountersOf(resource).length === 1
      ? []
      : [required('Exactly one visit is needed.', 'DocumentReference.context.encounter')]),
    ...(codingsOf(resource['type']).length > 0 ? [] : [required('There is no type.', 'DocumentReference.type')]),
    ...(resource['relatesTo'] === undefined
      ? []
      : [invalid('Notes are not related: write what it corrects.', 'DocumentReference.relatesTo')]),
    ...(textAt(resource, 'status') === 'current'
      ? []
      : [invalid('A note is filed as current.', 'DocumentReference.status')]),
  ];
}

function rowFaults(resource: Resource, surroundings: Surroundings): readonly Issue[] {
  const codings = codingsOf(resource['code']);
  const row = surroundings.mappedRows.find((mapped) =>
    codings.some(({ system, code }) => system === mapped.system && code === mapped.code),
  );
  if (row === undefined) return [epicIssue(59187, 'No flowsheet row is mapped to this code.')];
  if (row.unit !== undefined && textAt(resource, 'valueQuantity', 'code') !== row.unit)
    return [epicIssue(59188, `The row is in ${row.unit}.`)];
  if (textAt(resource, 'effectiveDateTime') === undefined)
    return [required('There is no time.', 'Observation.effectiveDateTime')];
  return surroundings.interaction === 'create' && isThere(resource, surroundings)
    ? [epicIssue(59141, 'This row has that value at that time.')]
    : [];
}

/** The same row, patient, time and value. */
function isThere(resource: Resource, { chart }: Surroundings): boolean {
  const codes = new Set(codingsOf(resource['code']).map(({ system, code }) => `${system ?? ''}|${code ?? ''}`));
  return chart.ofType('Observation').some((one) => {
    const isSameRow = codingsOf(one['code']).some(({ system, code }) => codes.has(`${system ?? ''}|${code ?? ''}`));
    return (
      isSameRow &&
      patientOf(one) === patientOf(resource) &&
      textAt(one, 'effectiveDateTime') === textAt(resource, 'effectiveDateTime') &&
      valueOf(one) === valueOf(resource) &&
      textAt(one, 'status') !== 'entered-in-error'
    );
  });
}

function valueOf(resource: Resource): string {
  const names = Object.keys(resource).filter((name) => name.startsWith('value'));
  const values = names.map((name) => at(resource, name));
  return JSON.stringify([values, listAt(resource, 'component')]);
}
