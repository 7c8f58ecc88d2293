import type { OperationOutcomeIssue, Resource } from '@medplum/fhirtypes';
import { checkRequiredBindings, type CollectedTokens } from './binding-check.js';
import { checkJsonForm } from './json-form-check.js';
import { OperationOutcomeError, validateResource } from './medplum-core.js';
import { fromMedplum, toExpression } from './medplum-issue.js';
import type { R4Definitions } from './r4-definitions.js';
import { error, type ResourceIssue } from './resource-issue.js';

/** Bundles end at 64 MiB (standards 3.4), so that no attachment is larger. */
const BASE64_MAX_BYTES = 64 * 1024 * 1024;

/** What base R4 says about a resource, and nothing of profiles: Medplum's validator, and what it leaves open. */
export function checkStructure(resource: unknown, definitions: R4Definitions): ResourceIssue[] {
  if (!isResource(resource)) return [error('invalid', 'Resource', 'A resource is a JSON object with a resourceType.')];
  const malformed = checkJsonForm(resource, resource.resourceType);
  if (malformed.length > 0) return malformed.map((issue) => ({ ...issue, expression: toExpression(issue.expression) }));
  const unknown = unknownTypes(resource, '', definitions);
  if (unknown.length > 0) return unknown;
  const tokens: CollectedTokens = {};
  return [...runMedplum(resource, tokens).flatMap((issue) => fromMedplum(issue, resource)), ...checkRequiredBindings(tokens, definitions.valueSets)];
}

function runMedplum(resource: Resource, tokens: CollectedTokens): OperationOutcomeIssue[] {
  try {
    return validateResource(resource, { collect: { tokens }, base64BinaryMaxBytes: BASE64_MAX_BYTES });
  } catch (thrown) {
    if (thrown instanceof OperationOutcomeError) return thrown.outcome.issue;
    throw thrown;
  }
}

function isResource(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && typeof (value as Resource).resourceType === 'string';
}

/** A resource of an unknown type, here or in one of the places that hold resources; on the way, the known ones are loaded. */
function unknownTypes(resource: Resource, at: string, definitions: R4Definitions): ResourceIssue[] {
  const path = at === '' ? resource.resourceType : at;
  if (!definitions.ensureType(resource.resourceType)) {
    return [error(at === '' ? 'not-supported' : 'structure', at === '' ? 'Resource' : at, 'FHIR R4 has no such type of resource.')];
  }
  return heldResources(resource).flatMap(([place, held]) => unknownTypes(held, `${path}.${place}`, definitions));
}

/** Resources stand in three places only: contained, the entries of a bundle, and parameters (one level of parts). */
function heldResources(resource: Resource): [string, Resource][] {
  const { contained, entry, parameter } = resource as unknown as Record<'contained' | 'entry' | 'parameter', unknown>;
  const places: [string, unknown][] = [
    ...list(contained).map((one, index): [string, unknown] => [`contained[${index}]`, one]),
    ...list(entry).flatMap((one, index): [string, unknown][] => [
      [`entry[${index}].resource`, one?.['resource']],
      [`entry[${index}].response.outcome`, (one?.['response'] as Held | undefined)?.['outcome']],
    ]),
    ...list(parameter).map((one, index): [string, unknown] => [`parameter[${index}].resource`, one?.['resource']]),
  ];
  return places.filter((place): place is [string, Resource] => isResource(place[1]));
}

type Held = Record<string, unknown>;

function list(value: unknown): (Held | null)[] {
  return Array.isArray(value) ? (value as (Held | null)[]) : [];
}
