import { Injectable } from '@nestjs/common';
import type { ResourceType } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { ResourceStore, type StoredResource } from '../../../standards/fhir/store/resource-store.js';
import type { FhirCall } from '../call/fhir-call.js';
import { ResourceSearch } from '../search/resource-search.js';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import { error } from '../../../standards/fhir/validation/resource-issue.js';
import { criteriaRefused, hasIdentifierOf, requireIdentifierValues } from './choosing-criteria.js';
import { permit, permitMatch } from './interaction-check.js';
import { StandingResources } from './standing-resources.js';

export const IF_NONE_EXIST = 'http.header.If-None-Exist';
/** One match, and those that merges of patients ended. */
const MATCH_LIMIT = 10;

/** The resource that the criteria of a conditional create or update choose. */
@Injectable()
export class CriteriaMatch {
  private readonly standing: StandingResources;

  constructor(
    private readonly store: ResourceStore,
    private readonly searching: ResourceSearch,
  ) {
    this.standing = new StandingResources(store);
  }

  /** The resource that `ifNoneExist` matches, or null; waits for others with the same criteria. `fhir.multiple_matches`. */
  async matchExisting(call: FhirCall, type: ResourceType, ifNoneExist: string): Promise<StoredResource | null> {
    const { row } = permit(call.caller, type, 'create');
    if (!row.conditional) throw criteriaRefused(IF_NONE_EXIST, `${type} has no conditional create.`);
    return this.matching(call, type, ifNoneExist, IF_NONE_EXIST);
  }

  /** The match of criteria that stand at `place`; waits for others with the same. `auth.scope`, `fhir.search`, `fhir.multiple_matches`. */
  async matching(call: FhirCall, type: ResourceType, written: string, place: string): Promise<StoredResource | null> {
    const matches = await this.standing.of(call, await this.found(call, type, written, place));
    if (matches.length > 1) throw new SuturaError('fhir.multiple_matches');
    return matches[0] ?? null;
  }

  /** As `matching`, without following merges: a number of a patient who was joined into another does not name that other. */
  async matchingItself(
    call: FhirCall,
    type: ResourceType,
    written: string,
    place: string,
  ): Promise<StoredResource | null> {
    const matches = await this.found(call, type, written, place);
    if (matches.length > 1) throw new SuturaError('fhir.multiple_matches');
    return matches[0] ?? null;
  }

  private async found(call: FhirCall, type: ResourceType, written: string, place: string): Promise<StoredResource[]> {
    const criteria = normalised(written);
    if (criteria === '') throw criteriaRefused(place, 'Name at least one parameter.');
    if (type === 'BodyStructure' && !/(^|&)patient[.:=]/.test(criteria))
      throw criteriaRefused(
        place,
        'The criteria of a BodyStructure name its patient, since two patients may have wounds of one number.',
      );
    requireIdentifierValues(criteria, place);
    permitMatch(call.caller, type, criteria);
    await this.store.lockCriteria(call.transaction, type, criteria);
    return this.searching.match(call, type, criteria, MATCH_LIMIT);
  }

  /**
   * `fhir.business_rule` where a resource that was written by criteria does not meet them: each repeat of the request would then make one more.
   * What the HL7 v2 door writes carries the numbers that it searches by.
   */
  async requireMet(call: FhirCall, written: string, { resource }: StoredResource): Promise<void> {
    if (call.door === 'hl7v2' || hasIdentifierOf(written, resource)) return;
    const { resourceType, id } = resource;
    const criteria = `${normalised(written)}&_id=${id}`;
    if ((await this.searching.match(call, resourceType, criteria, 1)).length > 0) return;
    throw new OutcomeError('fhir.business_rule', [
      error(
        'invariant',
        resourceType,
        'The resource would not be found by the criteria of its own request, so that each repeat would make another one. Put what the criteria name, such as the identifier, into the resource.',
      ),
    ]);
  }
}

/** The same criteria in another order are the same criteria. */
function normalised(ifNoneExist: string): string {
  const parameters = new URLSearchParams(ifNoneExist.replace(/^\?/, ''));
  parameters.sort();
  return parameters.toString();
}
