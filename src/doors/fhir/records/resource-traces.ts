import { Injectable } from '@nestjs/common';
import { AnalysisRequestRepository } from '../../../core/analysis/analysis-request.repository.js';
import { inGroups } from '../../../core/trace/in-groups.js';
import { TraceSource } from '../../../core/trace/trace-source.js';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import { tenantOf } from '../../../core/tenancy/tenant.js';
import type { TracedPhoto, TraceEvent, TraceFinding } from '../../../core/trace/trace.js';
import { orderKeyOf } from '../intake/wound-order.js';
import { typesWith } from '../../../standards/fhir/types/served-types.js';
import {
  TracedResources,
  type FoundResource,
  type ResourceVersion,
} from '../../../standards/fhir/store/traced-resources.js';

/** The types of a photo, its analyses and its reports. Observations are listed with their report. */
const TYPES_OF_PHOTO = typesWith('trace', 'photo');

/** Ids and versions of the resources of a photo. */
@Injectable()
export class ResourceTraces extends TraceSource {
  constructor(
    private readonly resources: TracedResources,
    private readonly unitOfWork: UnitOfWork,
    private readonly requests: AnalysisRequestRepository,
  ) {
    super();
  }

  async find(id: string): Promise<TraceFinding[]> {
    const found = await this.resources.find(id);
    return Promise.all(found.filter((resource) => isNews(resource, id)).map((resource) => this.finding(resource)));
  }

  async eventsOf(photos: readonly TracedPhoto[]): Promise<ReadonlyMap<string, readonly TraceEvent[]>> {
    const asked = photos.flatMap((photo) => idsOf(photo).map((id) => ({ tenant: photo.tenant, id })));
    const versions = inGroups(await this.resources.versions(TYPES_OF_PHOTO, asked), ({ id }) => id);
    return new Map(
      photos.map((photo) => [
        photo.imageId,
        idsOf(photo)
          .flatMap((id) => versions.get(id) ?? [])
          .map(eventOf),
      ]),
    );
  }

  private async finding(resource: FoundResource): Promise<TraceFinding> {
    const { type, id, derivedFrom } = resource;
    const tenant = tenantOf(resource);
    const orders =
      type === 'ServiceRequest'
        ? await this.unitOfWork.inTenant(tenant, (transaction) =>
            this.requests.listOfOrder(transaction, orderKeyOf(id)),
          )
        : [];
    const photo = /^Media\/(.+)$/.exec(derivedFrom ?? '')?.[1];
    return {
      takenFor: 'fhir_resource',
      tenant,
      imageIds: [],
      leadsTo: [id, ...orders.map((order) => order.id), ...(photo === undefined ? [] : [photo])],
      events: [],
    };
  }
}

const idsOf = ({ imageId, analysisIds, reportIds }: TracedPhoto): string[] => [imageId, ...analysisIds, ...reportIds];

function eventOf({ type, id, version, at, isOurs, results }: ResourceVersion): TraceEvent {
  return {
    at,
    what: 'fhir.version',
    resources: [`${type}/${id}/_history/${version}`, ...results],
    facts: { by: isOurs ? 'service' : 'client' },
  };
}

/** The ids of photos, analyses, reports and wounds are core's own, and found there. */
function isNews({ type, id }: FoundResource, asked: string): boolean {
  return id !== asked || type === 'ServiceRequest' || type === 'Observation';
}
