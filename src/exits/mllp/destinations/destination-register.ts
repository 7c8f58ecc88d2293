import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { Clock } from '../../../core/ports/clock.js';
import { IdSource } from '../../../core/ports/id-source.js';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { isCanonicalUuid, SystemStatements, toJsonb } from '../../../platform/database/statements.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import { Logger } from '../../../platform/logging/logger.js';
import { parseSettings } from '../../../platform/http/parse-input.js';
import { mergePatched } from '../../../platform/merge-patch.js';
import {
  DESTINATION_SETTINGS,
  type DestinationSettings,
  type DestinationInput,
  type Hl7Destination,
} from '../settings/hl7-destination.js';

interface Row extends Omit<Hl7Destination, 'settings'> {
  readonly settings: unknown;
}

const COLUMNS =
  'id, organization_id as "organizationId", environment, name, settings, enabled, created_at as "createdAt"';
const OF_TENANT = `select ${COLUMNS} from hl7_destinations where organization_id = $1 and environment = $2 and deleted_at is null order by created_at, id`;
const ALL = `select ${COLUMNS} from hl7_destinations where deleted_at is null order by created_at, id`;
const FIND = `select ${COLUMNS} from hl7_destinations where id = $1 and deleted_at is null`;
const INSERT = `insert into hl7_destinations (id, organization_id, environment, name, settings, enabled, created_at) values ($1, $2, $3, $4, $5, true, $6)
  on conflict (organization_id, environment, name) where deleted_at is null do nothing`;
const LOCK = `select ${COLUMNS} from hl7_destinations where id = $1 and deleted_at is null for update`;
const NAME_TAKEN = `select from hl7_destinations where organization_id = $1 and environment = $2 and name = $3 and id <> $4 and deleted_at is null`;
const UPDATE = `update hl7_destinations set name = $2, settings = $3, enabled = $4 where id = $1`;

/** A person's change of a destination; parts that are not named stay. */
export interface DestinationChange {
  readonly name?: string | undefined;
  /** As a merge patch (RFC 7396): null brings a setting back to its default. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** False: messages are made and wait. */
  readonly enabled?: boolean | undefined;
}

/** The stored destinations. For the service's own work over all tenants: never reached from a caller's key. */
@Injectable()
export class DestinationRegister {
  constructor(
    private readonly statements: SystemStatements,
    private readonly unitOfWork: UnitOfWork,
    private readonly logger: Logger,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  /** Oldest first, paused ones included; those that this release cannot read are logged and left out. */
  async ofTenant({ organizationId, environment }: Tenant): Promise<Hl7Destination[]> {
    return (await this.statements.runPrepared<Row>(OF_TENANT, [organizationId, environment])).rows.flatMap(
      (row) => this.read(row) ?? [],
    );
  }

  /** Of all tenants. */
  async all(): Promise<Hl7Destination[]> {
    return (await this.statements.run<Row>(ALL)).rows.flatMap((row) => this.read(row) ?? []);
  }

  /** `hl7.destination_not_found`. */
  async find(id: string): Promise<Hl7Destination> {
    const row = isCanonicalUuid(id) ? (await this.statements.run<Row>(FIND, [id])).rows[0] : undefined;
    const found = row === undefined ? null : this.read(row);
    if (found === null) throw new SuturaError('hl7.destination_not_found');
    return found;
  }

  /** Running gateways send to it within 5 s. `hl7.name_taken`; `request.invalid` with the setting that does not fit. */
  async create(tenant: Tenant, name: string, input: DestinationInput): Promise<Hl7Destination> {
    const { organizationId, environment } = tenant;
    const made: Hl7Destination = {
      organizationId,
      environment,
      id: this.ids.next(),
      name,
      enabled: true,
      settings: parseDestinationSettings(input),
      createdAt: this.clock.now(),
    };
    const { affected } = await this.statements.run(INSERT, [
      made.id,
      organizationId,
      environment,
      name,
      toJsonb(input),
      made.createdAt,
    ]);
    if (affected === 0) throw new SuturaError('hl7.name_taken');
    return made;
  }

  /**
   * Messages that were made before keep their bytes and go where it points now. Running gateways follow within 5 s.
   * `hl7.destination_not_found`, `hl7.name_taken`, `request.invalid`.
   */
  change(id: string, { name, settings = {}, enabled }: DestinationChange): Promise<Hl7Destination> {
    if (!isCanonicalUuid(id)) return Promise.reject(new SuturaError('hl7.destination_not_found'));
    return this.unitOfWork.inSystem(async (transaction) => {
      const statements = statementsOf(transaction);
      const row = (await statements.run<Row>(LOCK, [id])).rows[0];
      if (row === undefined) throw new SuturaError('hl7.destination_not_found');
      const input = mergePatched(row.settings as Readonly<Record<string, unknown>>, settings);
      const changed = { ...row, name: name ?? row.name, enabled: enabled ?? row.enabled };
      const destination: Hl7Destination = { ...changed, settings: parseDestinationSettings(input) };
      const taken = await statements.run(NAME_TAKEN, [row.organizationId, row.environment, changed.name, id]);
      if (taken.rows.length > 0) throw new SuturaError('hl7.name_taken');
      await statements.run(UPDATE, [id, changed.name, toJsonb(input), changed.enabled]);
      return destination;
    });
  }

  private read(row: Row): Hl7Destination | null {
    const settings = DESTINATION_SETTINGS.safeParse(row.settings);
    if (settings.success) return { ...row, settings: settings.data };
    this.logger.error('hl7.destination_unreadable', { destinationId: row.id });
    return null;
  }
}

/** `request.invalid` with a pointer to each setting that does not fit. */
export function parseDestinationSettings(input: unknown): DestinationSettings {
  return parseSettings(DESTINATION_SETTINGS, input);
}
