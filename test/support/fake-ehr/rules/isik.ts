import { at, codingsOf, listAt, textAt, type Fields, type Resource } from '../json.js';
import type { Issue } from '../outcome.js';
import { isInstant } from '../r4-shape.js';
import type { Surroundings } from '../surroundings.js';
import { checkBase, contentFaults, invalid, required } from './base.js';

const KDL = 'http://dvmd.de/fhir/CodeSystem/kdl';
/** A class, a subclass and a number, such as VL230101. */
const KDL_CODE = /^[A-Z]{2}\d{6}$/;
const OID = /^urn:oid:[0-2](\.(0|[1-9]\d*))+$/;
const FORMAT = 'http://ihe.net/fhir/ihe.formatcode.fhir/CodeSystem/formatcode';
const CONTENT_TYPES = ['application/pdf', 'text/plain', 'image/jpeg', 'image/png'];

/** ISiK documents (gematik, profile ISiKDokumentenMetadaten) on IHE MHD ITI-105: one POST with the bytes inline, references that resolve, German codes. */
export function checkIsik(resource: Resource, surroundings: Surroundings): readonly Issue[] {
  const base = checkBase(resource, surroundings);
  if (resource.resourceType !== 'DocumentReference') return base;
  return [
    ...base,
    ...contentFaults(resource, CONTENT_TYPES, surroundings),
    ...formFaults(resource),
    ...typeFaults(resource),
    ...contextFaults(resource),
    ...masterFaults(resource, surroundings),
  ];
}

function formFaults(resource: Resource): readonly Issue[] {
  const refused = ['contained', 'custodian'].filter((name) => resource[name] !== undefined);
  const attachment = at(resource, 'content', 0, 'attachment');
  const path = 'DocumentReference.content.attachment';
  return [
    ...refused.map((name) => invalid(`${name} is not taken.`, `DocumentReference.${name}`)),
    ...logicalReferences(resource).map(() => invalid('References by identifier alone are not taken.', 'reference')),
    ...(textAt(resource, 'status') === 'current'
      ? []
      : [invalid('A document is sent as current.', 'DocumentReference.status')]),
    ...(textAt(attachment, 'language') === undefined ? [required('There is no language.', `${path}.language`)] : []),
    ...(isInstant(textAt(attachment, 'creation'))
      ? []
      : [required('There is no full time of creation.', `${path}.creation`)]),
  ];
}

function typeFaults(resource: Resource): readonly Issue[] {
  const kdl = listAt(resource, 'type', 'coding').filter((coding) => textAt(coding, 'system') === KDL);
  const isRight =
    kdl.length === 1 && KDL_CODE.test(textAt(kdl[0], 'code') ?? '') && textAt(kdl[0], 'display') !== undefined;
  const label = codingsOf(resource['securityLabel']).map(({ code }) => code);
  return [
    ...(isRight ? [] : [required('The type needs exactly one KDL code with its display.', 'DocumentReference.type')]),
    ...(label.some((code) => code === 'N' || code === 'R' || code === 'V')
      ? []
      : [required('The security label must be N, R or V.', 'DocumentReference.securityLabel')]),
  ];
}

function contextFaults(resource: Resource): readonly Issue[] {
  const format = at(resource, 'content', 0, 'format');
  const isFormat =
    textAt(format, 'system') === FORMAT && textAt(format, 'code') === 'urn:ihe:iti:xds:2017:mimeTypeSufficient';
  const facility = codingsOf(at(resource, 'context', 'facilityType'));
  const practice = codingsOf(at(resource, 'context', 'practiceSetting'));
  return [
    ...(isFormat ? [] : [required('The format must be mimeTypeSufficient.', 'DocumentReference.content.format')]),
    ...(facility.some(({ code }) => code === 'KHS')
      ? []
      : [required('The facility type must be KHS.', 'DocumentReference.context.facilityType')]),
    ...(practice.length > 0
      ? []
      : [required('There is no practice setting.', 'DocumentReference.context.practiceSetting')]),
  ];
}

/** The number of a document is an OID and is used once. */
function masterFaults(resource: Resource, { chart, interaction }: Surroundings): readonly Issue[] {
  const path = 'DocumentReference.masterIdentifier';
  const value = textAt(resource, 'masterIdentifier', 'value') ?? '';
  const isOid = textAt(resource, 'masterIdentifier', 'system') === 'urn:ietf:rfc:3986' && OID.test(value);
  if (!isOid) return [required('It needs the system urn:ietf:rfc:3986 and a value urn:oid:….', path)];
  const isTaken = chart.ofType('DocumentReference').some((one) => textAt(one, 'masterIdentifier', 'value') === value);
  return isTaken && interaction === 'create'
    ? [{ code: 'duplicate', text: 'A document has this number (XDSDuplicateUniqueIdInRegistry).', expression: path }]
    : [];
}

/** Objects that point by `identifier` and have no `reference`, such as a subject by its number. */
function logicalReferences(resource: Resource): readonly Fields[] {
  const places = ['subject', 'authenticator'].map((name) => resource[name]);
  const lists = [...listAt(resource, 'author'), ...listAt(resource, 'context', 'encounter')];
  return [...places, ...lists].filter(
    (one): one is Fields => at(one, 'identifier') !== undefined && at(one, 'reference') === undefined,
  );
}
