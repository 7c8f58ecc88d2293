import type { OperationOutcomeIssue, Resource } from '@medplum/fhirtypes';
import { elementsOf } from '../types/elements.js';
import { checkRequiredBindings, type CollectedTokens } from './binding-check.js';
import { checkJsonForm } from './json-form-check.js';
import { checkJsonTypes } from './json-type-check.js';
import { BASE64_MAX_BYTES, withoutLongBase64 } from './long-base64.js';
import { OperationOutcomeError, validateResource } from '../definitions/medplum-core.js';
import { checkDemands } from './demands/demand-walk.js';
import type { Demands } from './demands/demands.js';
import { fromMedplum, toExpression } from './medplum-issue.js';
import type { R4Definitions } from '../definitions/r4-definitions.js';
import { error, type ResourceIssue } from './resource-issue.js';

/**
 * Checks a resource against base R4, not against profiles: Medplum's validator, and what it leaves open. `compiled/` answers before it
 * for valid resources, and has to demand everything that is demanded here.
 */
export function checkStructure(resource: unknown, definitions: R4Definitions, demands: Demands): ResourceIssue[] {
  if (!isResource(resource)) return [error('invalid', 'Resource', 'A resource is a JSON object with a resourceType.')];
  if (!definitions.ensureType(resource.resourceType))
    return [error('not-supported', 'Resource', 'FHIR R4 has no such type of resource.')];
  const members = elementsOf(resource);
  const malformed = checkJsonForm(members, resource.resourceType);
  if (malformed.length > 0) return malformed.map((issue) => ({ ...issue, expression: toExpression(issue.expression) }));
  const unknown = unknownTypesWithin(resource, resource.resourceType, definitions);
  if (unknown.length > 0) return unknown;
  const tokens: CollectedTokens = {};
  const found = runMedplum(resource, tokens).flatMap((issue) => fromMedplum(issue, resource));
  return [
    ...found,
    ...checkJsonTypes(members, resource.resourceType, resource.resourceType),
    ...checkRequiredBindings(tokens, definitions.valueSets),
    ...checkDemands(resource, demands),
  ];
}

function runMedplum(resource: Resource, tokens: CollectedTokens): OperationOutcomeIssue[] {
  try {
    return validateResource(withoutLongBase64(resource, BASE64_MAX_BYTES), {
      collect: { tokens },
      base64BinaryMaxBytes: BASE64_MAX_BYTES,
    });
  } catch (thrown) {
    if (thrown instanceof OperationOutcomeError) return thrown.outcome.issue;
    // Medplum reads some values before it checks their types, and then throws. Definitions are
    // loaded by then and it looks nothing up, so the fault is in the resource.
    return [{ severity: 'error', code: 'structure', expression: [resource.resourceType] }];
  }
}

function isResource(value: unknown): value is Resource {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    typeof (value as Resource).resourceType === 'string'
  );
}

/** Resources of unknown types in the places that hold resources; on the way, Medplum gets to know the other ones. */
function unknownTypesWithin(resource: Resource, path: string, definitions: R4Definitions): ResourceIssue[] {
  return heldResources(resource).flatMap(([place, held]) => {
    const at = `${path}.${place}`;
    return definitions.ensureType(held.resourceType)
      ? unknownTypesWithin(held, at, definitions)
      : [error('structure', at, 'FHIR R4 has no such type of resource.')];
  });
}

/** Resources are nested in three places only: contained, the entries of a Bundle, and parameters with their parts. */
function heldResources(resource: Resource): [string, Resource][] {
  const { contained, entry, parameter } = elementsOf(resource);
  const places: [string, unknown][] = [
    ...list(contained).map((one, index): [string, unknown] => [`contained[${index}]`, one]),
    ...list(entry).flatMap((one, index): [string, unknown][] => [
      [`entry[${index}].resource`, one?.['resource']],
      [`entry[${index}].response.outcome`, (one?.['response'] as Held | undefined)?.['outcome']],
    ]),
    ...inParameters(parameter, 'parameter'),
  ];
  return places.filter((place): place is [string, Resource] => isResource(place[1]));
}

type Held = Record<string, unknown>;

function inParameters(parameters: unknown, name: string): [string, unknown][] {
  return list(parameters).flatMap((one, index): [string, unknown][] => [
    [`${name}[${index}].resource`, one?.['resource']],
    ...inParameters(one?.['part'], `${name}[${index}].part`),
  ]);
}

function list(value: unknown): (Held | null)[] {
  return Array.isArray(value) ? (value as (Held | null)[]) : [];
}
