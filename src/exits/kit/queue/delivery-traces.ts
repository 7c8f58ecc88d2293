import { inGroups } from '../../../core/trace/in-groups.js';
import { TraceSource } from '../../../core/trace/trace-source.js';
import type { TracedPhoto, TraceEvent, TraceFinding } from '../../../core/trace/trace.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { pastEvents, toPastEvents, type KeptHistory } from './delivery-history.js';
import { isCanonicalUuid, type SystemStatements } from '../../../platform/database/statements.js';

/** The tables of an exit over HTTP. */
interface TracedTables {
  /** The exit, as facts name it. */
  readonly exit: string;
  readonly deliveries: string;
  readonly endpoints: string;
  /** The column of deliveries with the endpoint's id. */
  readonly endpointId: string;
}

interface Row extends Tenant {
  readonly id: string;
  readonly endpointId: string;
  readonly reportId: string | null;
  readonly type: string;
  readonly state: string;
  readonly attempts: number;
  readonly fault: string | null;
  readonly isHeld: boolean;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  readonly nextAt: Date;
  readonly deliveredAt: Date | null;
  readonly history: KeptHistory;
}

/** Of one report: one with many versions, told to many endpoints. */
const MOST = 200;

/** The deliveries about the reports of a photo to the endpoints of one exit, for its trace. */
export class DeliveryTraces extends TraceSource {
  private readonly byId: string;
  private readonly ofReports: string;

  constructor(
    private readonly statements: SystemStatements,
    private readonly tables: TracedTables,
  ) {
    super();
    const { deliveries, endpoints, endpointId } = tables;
    const select = `select made.id, made.organization_id as "organizationId", made.environment, made.${endpointId} as "endpointId",
        made.report_id as "reportId", made.type, made.state, made.attempts, coalesce(made.fault, made.status_code::text) as fault,
        endpoint.paused or endpoint.disabled_at is not null as "isHeld", made.created_at as "createdAt", made.sent_at as "sentAt",
        made.next_at as "nextAt", made.delivered_at as "deliveredAt", made.history
      from ${deliveries} made join ${endpoints} endpoint on endpoint.id = made.${endpointId}`;
    this.byId = `${select} where made.id = $1`;
    this.ofReports = `select asked.image_id as "imageId", told.* from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) as asked (image_id, report_id, organization_id, environment)
      cross join lateral (${select} where made.report_id = asked.report_id and made.organization_id = asked.organization_id and made.environment = asked.environment
        order by made.id limit ${MOST}) told`;
  }

  async find(id: string): Promise<TraceFinding[]> {
    if (!isCanonicalUuid(id)) return [];
    const { rows } = await this.statements.run<Row>(this.byId, [id]);
    return rows.map((row) => ({
      takenFor: 'delivery',
      tenant: { organizationId: row.organizationId, environment: row.environment },
      imageIds: [],
      leadsTo: row.reportId === null ? [] : [row.reportId],
      events: this.events(row),
    }));
  }

  async eventsOf(photos: readonly TracedPhoto[]): Promise<ReadonlyMap<string, readonly TraceEvent[]>> {
    const reports = photos.flatMap(({ tenant, imageId, reportIds }) =>
      reportIds.map((reportId) => ({ tenant, imageId, reportId })),
    );
    if (reports.length === 0) return new Map();
    const { rows } = await this.statements.run<Row & { readonly imageId: string }>(this.ofReports, [
      reports.map(({ imageId }) => imageId),
      reports.map(({ reportId }) => reportId),
      reports.map(({ tenant }) => tenant.organizationId),
      reports.map(({ tenant }) => tenant.environment),
    ]);
    const grouped = [...inGroups(rows, ({ imageId }) => imageId)];
    return new Map(grouped.map(([imageId, ofPhoto]) => [imageId, ofPhoto.flatMap((row) => this.events(row))]));
  }

  private events(row: Row): TraceEvent[] {
    const { id, endpointId, type, state, attempts, fault, createdAt, sentAt, deliveredAt } = row;
    const resources = [`MessageHeader/${id}`];
    const history = toPastEvents(row.history);
    const last = history.at(-1);
    // The last thing that a person did, or the service, is how it stands.
    const isLast = last?.what === state;
    const by: Readonly<Record<string, string>> = isLast && last.by !== null ? { by: last.by } : {};
    const facts = { exit: this.tables.exit, type, attempts, endpoint: endpointId, ...by };
    const next = nextOf(row);
    const stands: TraceEvent = {
      at: state === 'delivered' ? (deliveredAt ?? createdAt) : (last?.until ?? last?.at ?? sentAt ?? createdAt),
      what: `delivery.${state}`,
      resources,
      facts: state === 'delivered' || fault === null ? facts : { ...facts, fault },
      ...(next === undefined ? {} : { next }),
    };
    return [...pastEvents('delivery', resources, isLast ? history.slice(0, -1) : history), stands];
  }
}

function nextOf({ id, state, fault, attempts, isHeld, nextAt }: Row): string | undefined {
  const said = fault === null ? '' : ` (${fault})`;
  if (state === 'parked')
    return `Delivery ${id}: its receiver did not take it${said}. Read what it answered, have it mended there, then send it again.`;
  if (state !== 'waiting') return undefined;
  if (isHeld) return `Delivery ${id}: its endpoint is paused or disabled. Resume the endpoint, and what waits is sent.`;
  if (fault === 'address_refused')
    return `Delivery ${id}: its receiver's address is not allowed (address_refused). Open its network for the organization (org set --delivery-networks), or correct the address; it is tried again at ${nextAt.toISOString()}.`;
  if (attempts === 0) return undefined;
  return `Delivery ${id}: it was not taken${said} after ${attempts} attempts, and is tried again at ${nextAt.toISOString()}. Look whether its receiver runs.`;
}
