import { Injectable } from '@nestjs/common';
import type { ResourceType } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { ResourceStore, type StoredResource } from '../../../standards/fhir/store/resource-store.js';
import type { FhirCall } from '../call/fhir-call.js';
import { ResourceSearch } from '../search/resource-search.js';
import { criteriaRefused, requireIdentifierValues } from './choosing-criteria.js';
import { permit, permitMatch } from './interaction-check.js';
import { StandingResources } from './standing-resources.js';

const IF_NONE_EXIST = 'http.header.If-None-Exist';
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
    const matches = await this.standing.of(call, await this.searching.match(call, type, criteria, MATCH_LIMIT));
    if (matches.length > 1) throw new SuturaError('fhir.multiple_matches');
    return matches[0] ?? null;
  }
}

/** The same criteria in another order are the same criteria. */
function normalised(ifNoneExist: string): string {
  const parameters = new URLSearchParams(ifNoneExist.replace(/^\?/, ''));
  parameters.sort();
  return parameters.toString();
}
