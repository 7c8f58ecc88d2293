import { Injectable } from '@nestjs/common';
import type { Resource } from '@medplum/fhirtypes';
import type { AnalysisRequest } from '../../../core/analysis/analysis-request.js';
import { AnalysisRequestService } from '../../../core/analysis/analysis-request.service.js';
import type { FhirCall } from '../call/fhir-call.js';
import { orderKeyOf } from '../intake/wound-order.js';

/** The analyses of a Bundle's entries. */
export interface AppliedAnalyses {
  /** Without repeats. */
  readonly analysisIds: readonly string[];
  readonly analysesOfEntries: readonly (readonly string[])[];
  readonly waitsForQuotaUntil: Date | null;
}

/** Finds the analyses of the orders and photos of a transaction, requested now or earlier. Inside the transaction. */
@Injectable()
export class AnalysesOfEntries {
  constructor(private readonly requests: AnalysisRequestService) {}

  async find(call: FhirCall, resources: readonly (Resource | null)[]): Promise<AppliedAnalyses> {
    const found: AnalysisRequest[][] = [];
    for (const resource of resources) found.push(resource === null ? [] : await this.askedBy(call, resource));
    const returns: Date[] = [];
    for (const request of found.flat()) {
      const until = await this.requests.quotaReturnsFor(call.transaction, request);
      if (until !== null) returns.push(until);
    }
    const analysesOfEntries = found.map((requests) => requests.map(({ id }) => id));
    return {
      analysesOfEntries,
      analysisIds: [...new Set(analysesOfEntries.flat())],
      waitsForQuotaUntil: returns.length === 0 ? null : new Date(Math.max(...returns.map((until) => until.getTime()))),
    };
  }

  private async askedBy({ transaction }: FhirCall, { resourceType, id }: Resource): Promise<AnalysisRequest[]> {
    if (id === undefined) return [];
    const asked =
      resourceType === 'ServiceRequest'
        ? await this.requests.ofOrder(transaction, orderKeyOf(id))
        : isPhoto(resourceType)
          ? await this.requests.ofImage(transaction, id)
          : [];
    return asked.filter(({ state }) => state !== 'cancelled');
  }
}

function isPhoto(type: Resource['resourceType']): boolean {
  return type === 'Media' || type === 'DocumentReference';
}
