import { SuturaError } from '../errors/sutura-error.js';
import type { Clock } from '../ports/clock.js';
import type { DoorAdvice } from './trace.js';
import type { TraceRecords } from './trace-records.js';
import type { TraceSource } from './trace-source.js';
import { tenantOf, type Tenant } from '../tenancy/tenant.js';
import { orderEvent, photoEvents } from './photo-events.js';
import type { PhotoRecord, PhotoTrace, Trace, TracedPhoto, TraceEvent, TraceFinding, TraceScope } from './trace.js';

/** Photos in one answer: a wound may have hundreds. */
const MOST_PHOTOS = 20;
/** Photos that are told at the same time; more would take the database from others. */
const TOLD_AT_ONCE = 4;
/** At most the length of the longest id, printable characters only: no store has others. */
const ID = /^\P{C}{1,200}$/u;
/** `Type/` before and `/_history/2` behind an id, as FHIR writes references; order numbers may have strokes of their own. */
const REFERENCE =
  /^(?:(?:Media|Binary|DocumentReference|BodyStructure|ServiceRequest|Task|DiagnosticReport|Observation|MessageHeader)\/)?([^/]+)(?:\/_history\/\d+)?$/;

interface PhotoPlace {
  readonly tenant: Tenant;
  readonly imageId: string;
}

/** Traces a photo through every door: asks the records and the store of each door, and orders their events by time. */
export class PhotoTracer {
  constructor(
    private readonly records: TraceRecords,
    private readonly sources: readonly TraceSource[],
    private readonly clock: Clock,
    private readonly advice: DoorAdvice,
  ) {}

  /**
   * `id`: any of those of TRACED_AS; also as a FHIR reference. At most 20 photos, newest first. What is another organization's than the scope's
   * is not there. `trace.not_found`.
   */
  async trace(id: string, scope: TraceScope = {}): Promise<Trace> {
    const asked = REFERENCE.exec(id.trim())?.[1] ?? id.trim();
    if (!ID.test(asked)) throw new SuturaError('trace.not_found');
    const found = within(scope, await this.find(asked));
    if (found.length === 0) throw new SuturaError('trace.not_found');
    const told = await Promise.all(found.map((finding) => this.photosOf(finding, scope)));
    const places = [...new Map(told.flat().map((place) => [place.imageId, place])).values()].sort((one, other) =>
      other.imageId.localeCompare(one.imageId),
    );
    const photos: PhotoTrace[] = [];
    for (let from = 0; from < Math.min(places.length, MOST_PHOTOS); from += TOLD_AT_ONCE) {
      const part = places.slice(from, Math.min(from + TOLD_AT_ONCE, MOST_PHOTOS));
      photos.push(...(await Promise.all(part.map((place) => this.tell(place)))).flat());
    }
    const apart = await Promise.all(
      found.map(async (finding, index) => ({
        tenant: finding.tenant,
        patientId: finding.patientId ?? null,
        events: told[index]!.length === 0 ? inOrder(await this.apartFrom(finding, scope)) : [],
      })),
    );
    return {
      takenFor: [...new Set(found.map(({ takenFor }) => takenFor))],
      photos,
      apart: apart.filter(({ events }) => events.length > 0),
      hasMore: places.length > MOST_PHOTOS,
    };
  }

  private async find(id: string): Promise<TraceFinding[]> {
    const found = (await Promise.all([this.records, ...this.sources].map((store) => store.find(id)))).flat();
    return found.length > 0 ? found : [...(await this.records.findRequest(id))];
  }

  private async photosOf(
    { tenant, imageIds, leadsTo, requestId }: TraceFinding,
    scope: TraceScope,
  ): Promise<PhotoPlace[]> {
    const further = await Promise.all([...new Set(leadsTo)].map((id) => this.records.find(id)));
    const known = [...imageIds.map((imageId) => ({ tenant, imageId })), ...placesOf(within(scope, further.flat()))];
    if (known.length > 0 || requestId === undefined) return known;
    return placesOf(within(scope, await this.records.findRequest(requestId)));
  }

  /** An order that waits for its photo, a message that was refused. */
  private async apartFrom({ events, leadsTo }: TraceFinding, scope: TraceScope): Promise<TraceEvent[]> {
    const orders = await Promise.all([...new Set(leadsTo)].map((id) => this.records.order(id)));
    const own = orders.flatMap((order) => (order !== null && isWithin(scope, order.organizationId) ? [order] : []));
    return [...events, ...own.map((order) => orderEvent(order, null, this.advice))];
  }

  private async tell({ tenant, imageId }: PhotoPlace): Promise<PhotoTrace[]> {
    const record = await this.records.photo(tenant, imageId);
    if (record === null) return [];
    const photo = tracedPhoto(record);
    const elsewhere = await Promise.all(this.sources.map((source) => source.eventsOf(photo)));
    return [
      {
        tenant: photo.tenant,
        imageId,
        patientId: record.image.patientId,
        events: inOrder([...photoEvents(record, this.clock.now(), this.advice), ...elsewhere.flat()]),
      },
    ];
  }
}

const isWithin = ({ organizationId }: TraceScope, owner: string): boolean =>
  organizationId === undefined || owner === organizationId;

function within(scope: TraceScope, found: readonly TraceFinding[]): TraceFinding[] {
  return found.filter(({ tenant }) => isWithin(scope, tenant.organizationId));
}

function placesOf(found: readonly TraceFinding[]): PhotoPlace[] {
  return found.flatMap(({ tenant, imageIds }) => imageIds.map((imageId) => ({ tenant, imageId })));
}

function tracedPhoto({ image, madeBy, orders, jobs, versions }: PhotoRecord): TracedPhoto {
  return {
    tenant: tenantOf(image),
    imageId: image.id,
    sha256: image.sha256,
    messageId: madeBy?.door === 'hl7v2' ? madeBy.requestId : null,
    analysisIds: [...new Set([...orders, ...jobs].map(({ id }) => id))],
    reportIds: [...new Set([...jobs.map(({ reportId }) => reportId), ...versions.map(({ reportId }) => reportId)])],
  };
}

/** Stable: events of the same moment stay in their order. */
function inOrder(events: readonly TraceEvent[]): TraceEvent[] {
  return [...events].sort((one, other) => one.at.getTime() - other.at.getTime());
}
