import type { Reference } from '@medplum/fhirtypes';
import { validationRegexes, type InternalSchemaElement } from '../../definitions/medplum-core.js';
import type { RequiredValueSets } from '../../definitions/required-value-sets.js';
import { isInValueSet } from '../binding-check.js';
import type { Members } from '../check.js';
import { coreTypeOf } from '../reference-target.js';
import { containedBy, typeWithin } from './contained.js';
import type { Demand } from './demand.js';
import { isAbsolute } from './primitive-forms.js';

const URI_IDENTIFIER = 'urn:ietf:rfc:3986';
const RESOURCE_TYPES = 'http://hl7.org/fhir/ValueSet/resource-types';
const MAX_VALUE_SET = 'http://hl7.org/fhir/StructureDefinition/elementdefinition-maxValueSet';
const ID = validationRegexes['id']!;

/** Rules of R4 that are no invariants and that its texts state, by type (datatypes.html, references.html, extensibility.html). */
export const TYPE_RULES: Readonly<Partial<Record<string, readonly Demand[]>>> = {
  Reference: [
    {
      check: (value) => !/\s/.test(textOf(value, 'reference')),
      code: 'value',
      details: 'A reference has no whitespace.',
      member: 'reference',
    },
  ],
  Identifier: [
    {
      check: (value) => isAbsent(value, 'system') || isAbsolute(textOf(value, 'system')),
      code: 'value',
      details: 'The system of an identifier is an absolute URI.',
      member: 'system',
      isAdvice: true,
    },
    {
      check: (value) =>
        (value as Members)['system'] !== URI_IDENTIFIER ||
        isAbsent(value, 'value') ||
        isAbsolute(textOf(value, 'value')),
      code: 'value',
      details: `An identifier of the system ${URI_IDENTIFIER} is a URI.`,
      member: 'value',
      isAdvice: true,
    },
  ],
};

/** Rules for any resource; what it holds has its own. */
export const RESOURCE_RULES: readonly Demand[] = [
  {
    check: (value) => isAbsent(value, 'id') || ID.test(textOf(value, 'id')),
    code: 'value',
    details: 'An id has up to 64 letters, digits, hyphens and dots.',
    member: 'id',
  },
  {
    check: (value) => containedBy(value).every(({ id }) => typeof id === 'string'),
    code: 'required',
    details: 'A contained resource has an id.',
    member: 'contained',
  },
  {
    check: (value) => {
      const ids = containedBy(value).map(({ id }) => id);
      return new Set(ids).size === ids.length;
    },
    code: 'value',
    details: 'Contained resources have ids of their own.',
    member: 'contained',
  },
];

/** The URL by which a definition is known. */
export const CANONICAL_URL: Demand = {
  check: (value) => isAbsent(value, 'url') || isAbsolute(textOf(value, 'url')),
  code: 'value',
  details: 'The URL of a definition is absolute.',
  member: 'url',
};

/** An extension that stands in no other one: its URL is looked up, and not relative to another. */
export const OUTERMOST_EXTENSION: Demand = {
  check: (value) => isAbsent(value, 'url') || isAbsolute(textOf(value, 'url')),
  code: 'value',
  details: 'The URL of an extension is absolute.',
  member: 'url',
};

/** `Reference.type` is the URL of a definition, relative to HL7's. */
export function referenceType(valueSets: RequiredValueSets): Demand {
  return {
    check: (value) =>
      isAbsent(value, 'type') ||
      isAbsolute(textOf(value, 'type')) ||
      valueSets.allows(RESOURCE_TYPES, { code: textOf(value, 'type') }),
    code: 'code-invalid',
    details: 'The type of a reference is one of R4, or an absolute URL.',
    member: 'type',
  };
}

/** A reference to a resource that is at hand is to one of the types that the element may refer to. */
export function targetAtHand({ type }: InternalSchemaElement): Demand[] {
  const profiles = type.find(({ code }) => code === 'Reference')?.targetProfile;
  const allowed = new Set(profiles?.map(coreTypeOf));
  if (profiles === undefined || allowed.has('Resource')) return [];
  return [
    {
      check: (value, walk) => {
        const { reference } = value as Reference;
        // One that is not there is the matter of ref-1.
        const type = typeof reference === 'string' ? typeWithin(reference, walk) : undefined;
        return type === undefined || allowed.has(String(type));
      },
      code: 'value',
      details: `A reference to ${[...allowed].join(' or ')} is expected here.`,
      member: 'reference',
    },
  ];
}

/** A value set out of which no code may be, where another one is only preferred (`maxValueSet`). */
export function mostCodes({ binding }: InternalSchemaElement, type: string, valueSets: RequiredValueSets): Demand[] {
  const most = binding?.extension?.find(({ url }) => url === MAX_VALUE_SET)?.valueCanonical;
  if (most === undefined || binding?.strength === 'required') return [];
  return [
    {
      check: (value) => hasNoCode(value, type) || isInValueSet(type, value, most, valueSets),
      code: 'code-invalid',
      details: `Not a code of the value set ${most.split('|')[0]!}.`,
    },
  ];
}

function hasNoCode(value: unknown, type: string): boolean {
  return type === 'CodeableConcept' ? isAbsent(value, 'coding') : typeof value === 'object' && isAbsent(value, 'code');
}

function isAbsent(value: unknown, name: string): boolean {
  return (value as Members)[name] === undefined;
}

function textOf(value: unknown, name: string): string {
  const text = (value as Members)[name];
  return typeof text === 'string' ? text : '';
}
