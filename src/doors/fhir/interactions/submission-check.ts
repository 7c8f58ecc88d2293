import { Injectable } from '@nestjs/common';
import type { Resource } from '@medplum/fhirtypes';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import { ResourceValidator } from '../../../standards/fhir/validation/resource-validator.js';
import { error, type ResourceIssue } from '../../../standards/fhir/validation/resource-issue.js';
import { refuseServiceClaims } from './client-claims.js';
import { withPaddedLists } from './padded-lists.js';

/** The checks that every resource of a client passes first. */
@Injectable()
export class SubmissionCheck {
  constructor(private readonly validator: ResourceValidator) {}

  /** The body as a resource of this type. `fhir.structure`, `fhir.narrative`, `fhir.profile`, `fhir.business_rule`, each with the places at fault; `request.too_large`, `service.busy`. */
  async valid({ organizationId }: Tenant, type: string, body: unknown): Promise<Resource> {
    const stated = typeof body === 'object' && body !== null ? (body as Partial<Resource>).resourceType : undefined;
    if (stated !== type)
      throw new OutcomeError('fhir.structure', [
        error('invalid', type, `The body is a JSON object with the resourceType "${type}".`),
      ]);
    const { level, issues } = await this.validator.validateAnyWeight(organizationId, body);
    if (level === 'structure' && issues.every(isAttachmentData)) throw new OutcomeError('fhir.image', issues);
    if (level !== null) throw new OutcomeError(`fhir.${level}`, issues);
    const resource = withPaddedLists(body as Resource);
    refuseServiceClaims(resource);
    return resource;
  }
}

const ATTACHMENT_DATA = /^(Media\.content|Binary|DocumentReference\.content\[\d+\]\.attachment)\.data$/;

/** An attachment whose bytes are the only fault is refused as an attachment (`fhir.image`), not as a resource. */
function isAttachmentData({ expression }: ResourceIssue): boolean {
  return ATTACHMENT_DATA.test(expression);
}
