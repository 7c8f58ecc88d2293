import type { Identifier, Resource } from '@medplum/fhirtypes';
import { identifierFault } from '../../../core/patients/identifier-text.js';
import { OutcomeError, type OutcomeIssue } from '../../../standards/fhir/outcome/outcome-error.js';

/** Types whose records are joined by their identifiers (docs/decisions/0021). */
const JOINED: readonly string[] = ['Patient', 'BodyStructure', 'ServiceRequest', 'Encounter'];

/**
 * `fhir.business_rule` for identifiers that a person could not tell from others (core/patients/identifier-text). Those that the resource has had
 * before may stay.
 */
export function refuseUnreadable(next: Resource, before: Resource | null): void {
  if (!JOINED.includes(next.resourceType)) return;
  const known = new Set(identifiersOf(before).map(keyOf));
  const issues = identifiersOf(next).flatMap((identifier, index): OutcomeIssue[] => {
    const fault = known.has(keyOf(identifier)) ? null : identifierFault(identifier.value ?? '');
    const expression = `${next.resourceType}.identifier[${index}].value`;
    return fault === null
      ? []
      : [{ severity: 'error', code: 'business-rule', expression, details: `The identifier ${fault}.` }];
  });
  if (issues.length > 0) throw new OutcomeError('fhir.business_rule', issues);
}

function identifiersOf(resource: Resource | null): readonly Identifier[] {
  return (resource as { readonly identifier?: readonly Identifier[] } | null)?.identifier ?? [];
}

function keyOf({ system = '', value = '' }: Identifier): string {
  return JSON.stringify([system, value]);
}
