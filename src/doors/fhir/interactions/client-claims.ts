import type { Meta, Resource } from '@medplum/fhirtypes';
import { isAiLabel } from '../../../reports/index.js';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import { CANONICAL_BASE } from '../../../standards/fhir/profiles/profile-library.js';
import { error, type ResourceIssue } from '../../../standards/fhir/validation/resource-issue.js';

/** Marks that only the service itself makes (standards 2.2): a client's resource never passes for one of its own. */
const SERVICE_PROFILES = new Set(
  [
    'sutura-wound-area',
    'sutura-wound-length',
    'sutura-wound-width',
    'sutura-wound-tissue-composition',
    'sutura-wound-healing-progress',
    'sutura-wound-assessment-panel',
    'sutura-wound-clinician-finding',
    'sutura-wound-assessment-report',
    'sutura-ai-device',
    'sutura-ai-model-card',
    'sutura-analysis-provenance',
  ].map((id) => `${CANONICAL_BASE}StructureDefinition/${id}`),
);

/** `fhir.business_rule` where a client's resource claims to be the work of the service's model. */
export function refuseServiceClaims(resource: Resource): void {
  const issues = serviceClaims(resource);
  if (issues.length > 0) throw new OutcomeError('fhir.business_rule', issues);
}

/** The places where it does. */
export function serviceClaims({ resourceType, meta }: Resource): ResourceIssue[] {
  const issues: ResourceIssue[] = [];
  // A null stands in this list where a profile has extensions alone.
  ((meta?.profile ?? []) as (string | null)[]).forEach((url, index) => {
    if (url !== null && SERVICE_PROFILES.has(url.split('|')[0]!))
      issues.push(
        error(
          'invariant',
          `${resourceType}.meta.profile[${index}]`,
          'Only the service itself makes resources of this profile.',
        ),
      );
  });
  meta?.security?.forEach((label, index) => {
    if (isAiLabel(label))
      issues.push(
        error(
          'invariant',
          `${resourceType}.meta.security[${index}]`,
          'Only what the service itself analysed is labelled as asserted by AI.',
        ),
      );
  });
  return issues;
}

/** The resource under this id, without what the server alone says: the version, and when that was made. */
export function underId<T extends Resource>(resource: T, id: string): T {
  const { resourceType, id: _stated, meta, ...rest } = resource;
  const { versionId: _version, lastUpdated: _when, ...kept } = (meta ?? {}) as Meta;
  // The same members but for `meta`: a spread of a type parameter loses that.
  return { resourceType, id, ...(Object.keys(kept).length === 0 ? {} : { meta: kept }), ...rest } as unknown as T;
}
