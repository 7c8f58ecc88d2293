import { codingsOf, listAt, textAt, type Resource } from '../json.js';
import type { Issue } from '../outcome.js';
import { isInstant } from '../r4-shape.js';
import type { Surroundings } from '../surroundings.js';
import { checkBase, contentFaults, encountersOf, invalid, required } from './base.js';

const CONTENT_TYPES = [
  'application/pdf',
  'text/plain',
  'text/rtf',
  'application/rtf',
  'text/html',
  'application/xhtml+xml',
  'application/xml',
  'text/xml',
];

/** Oracle Millennium: a known provider as author, the visit, one content, times in full. */
export function checkOracle(resource: Resource, surroundings: Surroundings): readonly Issue[] {
  const base = checkBase(resource, surroundings);
  const { resourceType: type } = resource;
  if (type === 'DocumentReference') return [...base, ...documentFaults(resource, surroundings)];
  if (type === 'DiagnosticReport') return [...base, ...reportFaults(resource, surroundings)];
  if (type === 'Observation') return [...base, ...timeFaults(resource, ['effectiveDateTime'])];
  return base;
}

/** Numbers of others are not kept, nor is it that a document is preliminary. */
export function keepOracle(resource: Resource): Resource {
  if (resource.resourceType !== 'DocumentReference') return resource;
  const { identifier: _identifier, masterIdentifier: _master, docStatus, ...kept } = resource;
  return (docStatus === undefined || docStatus === 'preliminary' ? kept : { ...kept, docStatus }) as Resource;
}

function documentFaults(resource: Resource, surroundings: Surroundings): readonly Issue[] {
  return [
    ...contentFaults(resource, CONTENT_TYPES, surroundings),
    ...providerFaults(resource, 'author', surroundings),
    ...(encountersOf(resource).length === 1
      ? []
      : [required('Exactly one visit is needed.', 'DocumentReference.context.encounter')]),
    ...(codingsOf(resource['type']).length > 0 ? [] : [required('There is no type.', 'DocumentReference.type')]),
    ...timeFaults(resource, ['date']),
    ...periodFaults(resource),
  ];
}

function reportFaults(resource: Resource, surroundings: Surroundings): readonly Issue[] {
  return [
    ...providerFaults(resource, 'performer', surroundings),
    ...(encountersOf(resource).length === 1 ? [] : [required('The visit is needed.', 'DiagnosticReport.encounter')]),
    ...timeFaults(resource, ['effectiveDateTime', 'issued']),
  ];
}

function providerFaults(resource: Resource, element: string, { chart }: Surroundings): readonly Issue[] {
  const path = `${resource.resourceType}.${element}`;
  const authors = listAt(resource, element).map((one) => textAt(one, 'reference') ?? '');
  if (authors.length !== 1) return [required('Exactly one provider is needed.', path)];
  const isKnown = authors[0]!.startsWith('Practitioner/') && chart.current(authors[0]!) !== undefined;
  return isKnown ? [] : [invalid('The provider must be a Practitioner of this server.', path)];
}

function timeFaults(resource: Resource, names: readonly string[]): readonly Issue[] {
  return names
    .filter((name) => !isInstant(textAt(resource, name)))
    .map((name) => invalid('A full date and time with its zone is needed.', `${resource.resourceType}.${name}`));
}

function periodFaults(resource: Resource): readonly Issue[] {
  const isFull = (['start', 'end'] as const).every((edge) => isInstant(textAt(resource, 'context', 'period', edge)));
  return isFull ? [] : [invalid('Start and end must be full date-times.', 'DocumentReference.context.period')];
}
