import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { Clock } from '../../../core/ports/clock.js';
import { IdSource } from '../../../core/ports/id-source.js';
import type { Environment, Tenant } from '../../../core/tenancy/tenant.js';
import { isCanonicalUuid, SystemStatements, toJsonb } from '../../../platform/database/statements.js';
import { DESTINATION_SETTINGS, type DestinationSettings, type DestinationWish, type Hl7Destination } from '../hl7-destination.js';

interface Row {
  readonly id: string;
  readonly organization_id: string;
  readonly environment: Environment;
  readonly name: string;
  readonly settings: unknown;
  readonly enabled: boolean;
  readonly created_at: Date;
}

const COLUMNS = 'id, organization_id, environment, name, settings, enabled, created_at';
const OF_TENANT = `select ${COLUMNS} from hl7_destinations where organization_id = $1 and environment = $2 and deleted_at is null order by created_at, id`;
const ALL = `select ${COLUMNS} from hl7_destinations where deleted_at is null order by created_at, id`;
const FIND = `select ${COLUMNS} from hl7_destinations where id = $1 and deleted_at is null`;
const INSERT = `insert into hl7_destinations (${COLUMNS}) values ($1, $2, $3, $4, $5, true, $6)
  on conflict (organization_id, environment, name) where deleted_at is null do nothing`;
const UPDATE = `update hl7_destinations set settings = $2, enabled = $3 where id = $1 and deleted_at is null`;
const REMOVE = `update hl7_destinations set deleted_at = $2, enabled = false where id = $1 and deleted_at is null`;

/** The destinations, as operators make them. For the service's own work over all tenants: never reached from a caller's key. */
@Injectable()
export class DestinationRegister {
  constructor(
    private readonly statements: SystemStatements,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  /** Oldest first. Destinations that were switched off are among them. */
  async ofTenant({ organizationId, environment }: Tenant): Promise<Hl7Destination[]> {
    return (await this.statements.run<Row>(OF_TENANT, [organizationId, environment])).rows.map(toDestination);
  }

  /** Of all tenants. */
  async all(): Promise<Hl7Destination[]> {
    return (await this.statements.run<Row>(ALL)).rows.map(toDestination);
  }

  /** `hl7.destination_not_found`. */
  async find(id: string): Promise<Hl7Destination> {
    const row = isCanonicalUuid(id) ? (await this.statements.run<Row>(FIND, [id])).rows[0] : undefined;
    if (row === undefined) throw new SuturaError('hl7.destination_not_found');
    return toDestination(row);
  }

  /** Running gateways send to it within 5 s. `hl7.name_taken`; `request.invalid` with the setting that does not fit. */
  async create(tenant: Tenant, name: string, wish: DestinationWish): Promise<Hl7Destination> {
    const { organizationId, environment } = tenant;
    const made: Hl7Destination = { organizationId, environment, id: this.ids.next(), name, enabled: true, settings: parseDestinationSettings(wish), createdAt: this.clock.now() };
    const { affected } = await this.statements.run(INSERT, [made.id, organizationId, environment, name, toJsonb(wish), made.createdAt]);
    if (affected === 0) throw new SuturaError('hl7.name_taken');
    return made;
  }

  /** Messages that were made before keep their bytes; they go where it now points. `hl7.destination_not_found`, `request.invalid`. */
  async change(id: string, { wish, enabled }: { readonly wish: DestinationWish; readonly enabled: boolean }): Promise<Hl7Destination> {
    const known = await this.find(id);
    const settings = parseDestinationSettings(wish);
    await this.statements.run(UPDATE, [id, toJsonb(wish), enabled]);
    return { ...known, settings, enabled };
  }

  /** What was not delivered stays, and is no longer sent. `hl7.destination_not_found`. */
  async remove(id: string): Promise<void> {
    const { affected } = isCanonicalUuid(id) ? await this.statements.run(REMOVE, [id, this.clock.now()]) : { affected: 0 };
    if (affected === 0) throw new SuturaError('hl7.destination_not_found');
  }
}

/** `request.invalid` with a pointer to each setting that does not fit. */
export function parseDestinationSettings(wish: unknown): DestinationSettings {
  const parsed = DESTINATION_SETTINGS.safeParse(wish);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map(({ path, message }) => ({ pointer: `/settings/${path.map(String).join('/')}`, detail: message }));
  throw new SuturaError('request.invalid', { errors });
}

function toDestination({ id, organization_id, environment, name, settings, enabled, created_at }: Row): Hl7Destination {
  return { id, organizationId: organization_id, environment, name, enabled, settings: DESTINATION_SETTINGS.parse(settings), createdAt: created_at };
}
