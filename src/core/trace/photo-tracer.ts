import { SuturaError } from '../errors/sutura-error.js';
import type { ClinicalClock } from '../ports/clinical-clock.js';
import type { DoorAdvice } from './trace.js';
import type { TraceRecords } from './trace-records.js';
import type { TraceSource } from './trace-source.js';
import { tenantOf } from '../tenancy/tenant.js';
import { orderEvent, photoEvents } from './photo-events.js';
import type {
  PhotoPlace,
  PhotoRecord,
  PhotoTrace,
  Trace,
  TracedPhoto,
  TraceEvent,
  TraceFinding,
  TraceScope,
} from './trace.js';

/** Photos in one answer: a wound may have hundreds. */
const MOST_PHOTOS = 20;
/** At most the length of the longest id, printable characters only: no store has others. */
const ID = /^\P{C}{1,200}$/u;
/** `Type/` before and `/_history/2` behind an id, as FHIR writes references; order numbers may have strokes of their own. */
const REFERENCE =
  /^(?:(?:Media|Binary|DocumentReference|BodyStructure|ServiceRequest|Task|DiagnosticReport|Observation|MessageHeader)\/)?([^/]+)(?:\/_history\/\d+)?$/;

/** Traces a photo through every door: asks the records and the store of each door, and orders their events by time. */
export class PhotoTracer {
  constructor(
    private readonly records: TraceRecords,
    private readonly sources: readonly TraceSource[],
    private readonly clock: ClinicalClock,
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
    const placesOf = await this.photosOf(found, scope);
    const places = [...new Map(placesOf.flat().map((place) => [place.imageId, place])).values()].sort((one, other) =>
      other.imageId.localeCompare(one.imageId),
    );
    const [photos, apart] = await Promise.all([
      this.tell(places.slice(0, MOST_PHOTOS)),
      this.apartFrom(
        found.filter((_, index) => placesOf[index]!.length === 0),
        scope,
      ),
    ]);
    return {
      takenFor: [...new Set(found.map(({ takenFor }) => takenFor))],
      photos,
      apart: apart.filter(({ events }) => events.length > 0),
      hasMore: places.length > MOST_PHOTOS,
    };
  }

  private async find(id: string): Promise<readonly TraceFinding[]> {
    const found = (await Promise.all([this.records, ...this.sources].map((store) => store.find(id)))).flat();
    return found.length > 0 ? found : ((await this.records.findRequests([id])).get(id) ?? []);
  }

  /** For each finding, the photos that it leads to: its own, those of ids that other stores know, else those of its request. */
  private async photosOf(found: readonly TraceFinding[], scope: TraceScope): Promise<PhotoPlace[][]> {
    const further = await this.records.findAll([...new Set(found.flatMap(({ leadsTo }) => leadsTo))]);
    const known = found.map(({ tenant, imageIds, leadsTo }) => [
      ...imageIds.map((imageId) => ({ tenant, imageId })),
      ...placesOf(
        within(
          scope,
          leadsTo.flatMap((id) => further.get(id) ?? []),
        ),
      ),
    ]);
    const requestOf = ({ requestId }: TraceFinding, index: number): string[] =>
      requestId === undefined || known[index]!.length > 0 ? [] : [requestId];
    const requests = await this.records.findRequests([...new Set(found.flatMap(requestOf))]);
    return found.map((finding, index) => [
      ...known[index]!,
      ...requestOf(finding, index).flatMap((id) => placesOf(within(scope, requests.get(id) ?? []))),
    ]);
  }

  /** An order that waits for its photo, a message that was refused. */
  private async apartFrom(found: readonly TraceFinding[], scope: TraceScope): Promise<Trace['apart'][number][]> {
    const orders = await this.records.orders([...new Set(found.flatMap(({ leadsTo }) => leadsTo))]);
    return found.map(({ tenant, patientId = null, events, leadsTo }) => {
      const own = [...new Set(leadsTo)].flatMap((id) => {
        const order = orders.get(id);
        return order !== undefined && isWithin(scope, order.organizationId) ? [order] : [];
      });
      return {
        tenant,
        patientId,
        events: inOrder([...events, ...own.map((order) => orderEvent(order, null, this.advice))]),
      };
    });
  }

  private async tell(places: readonly PhotoPlace[]): Promise<PhotoTrace[]> {
    const records = await Promise.all((await this.records.photos(places)).map((record) => this.inRealTime(record)));
    const photos = records.map(tracedPhoto);
    const elsewhere = await Promise.all(this.sources.map((source) => source.eventsOf(photos)));
    const now = this.clock.realNow();
    return records.map((record) => ({
      tenant: tenantOf(record.image),
      imageId: record.image.id,
      patientId: record.image.patientId,
      events: inOrder([
        ...photoEvents(record, now, this.advice),
        ...elsewhere.flatMap((events) => events.get(record.image.id) ?? []),
      ]),
    }));
  }

  /** Reports are issued by the clock of their environment; all else that a trace tells has real time. */
  private async inRealTime(record: PhotoRecord): Promise<PhotoRecord> {
    const timeline = await this.clock.timelineOf(tenantOf(record.image));
    const versions = record.versions.map((made) => ({ ...made, issuedAt: timeline.realOf(made.issuedAt) }));
    return { ...record, versions };
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
