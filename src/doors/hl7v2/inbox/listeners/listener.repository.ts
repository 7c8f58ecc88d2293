import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../../core/errors/sutura-error.js';
import { IdSource } from '../../../../core/ports/id-source.js';
import { UnitOfWork } from '../../../../core/ports/unit-of-work.js';
import type { Environment, Tenant } from '../../../../core/tenancy/tenant.js';
import { Logger } from '../../../../platform/logging/logger.js';
import {
  isCanonicalUuid,
  SystemStatements,
  toJsonb,
  type Statements,
} from '../../../../platform/database/statements.js';
import { statementsOf } from '../../../../platform/database/unit-of-work.js';
import { parseSettings } from '../../../../platform/http/parse-input.js';
import { mergePatched } from '../../../../platform/merge-patch.js';
import { LISTENER_SETTINGS, type Hl7Listener, type ListenerSettings } from './hl7-listener.js';

interface Row {
  readonly id: string;
  readonly organizationId: string;
  readonly environment: Environment;
  readonly name: string;
  readonly enabled: boolean;
  readonly settings: unknown;
  readonly createdAt: Date;
}

const COLUMNS = `id, organization_id as "organizationId", environment, name, enabled, settings, created_at as "createdAt"`;
const LIST = `select ${COLUMNS} from hl7_listeners where deleted_at is null and ($1::uuid is null or organization_id = $1) order by created_at, id`;
const FIND = `select ${COLUMNS} from hl7_listeners where id = $1`;
const FOR_HTTP = `select ${COLUMNS} from hl7_listeners
  where organization_id = $1 and environment = $2 and deleted_at is null and (settings ->> 'http')::boolean order by created_at desc limit 1`;
const INSERT = `insert into hl7_listeners (id, organization_id, environment, name, settings, created_at) values ($1, $2, $3, $4, $5, sutura_now())
  on conflict (organization_id, environment, name) where deleted_at is null do nothing returning ${COLUMNS}`;
const LOCK_ONE = `select ${COLUMNS} from hl7_listeners where id = $1 and deleted_at is null`;
const UPDATE = `update hl7_listeners set name = $2, settings = $3, enabled = $4 where id = $1`;
const DELETE = `update hl7_listeners set deleted_at = sutura_now() where id = $1 and deleted_at is null returning id`;
const ORGANIZATION = 'select from organizations where id = $1';
/** Otherwise two listeners created at once for one port would both find it free. */
const LOCK = 'lock table hl7_listeners in share row exclusive mode';

/** A change of a listener; absent fields stay. */
export interface ListenerChange {
  readonly name?: string | undefined;
  /** A merge patch (RFC 7396): null restores the default of a setting. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  readonly enabled?: boolean | undefined;
}

/** The listeners, for the service's own work and for operators. Running gateways are notified of every change. */
@Injectable()
export class ListenerRepository {
  constructor(
    private readonly statements: SystemStatements,
    private readonly unitOfWork: UnitOfWork,
    private readonly ids: IdSource,
    private readonly logger: Logger,
  ) {}

  /**
   * Oldest first; of one organization, or of all. Listeners whose settings this release cannot read are logged and left
   * out.
   */
  async list(organizationId: string | null = null): Promise<Hl7Listener[]> {
    const { rows } = await this.statements.run<Row>(LIST, [organizationId]);
    return rows.flatMap((row) => this.read(row) ?? []);
  }

  /** Includes deleted listeners, since messages refer to them; null: unknown, or not readable by this release. */
  async find(id: string): Promise<Hl7Listener | null> {
    if (!isCanonicalUuid(id)) return null;
    const { rows } = await this.statements.run<Row>(FIND, [id]);
    return rows[0] === undefined ? null : this.read(rows[0]);
  }

  /** The settings for POST /hl7v2 of a tenant: those of its listener with `http`, else the defaults. */
  async ofHttp(tenant: Tenant): Promise<Hl7Listener> {
    const { rows } = await this.statements.run<Row>(FOR_HTTP, [tenant.organizationId, tenant.environment]);
    return (rows[0] === undefined ? null : this.read(rows[0])) ?? standingHttpListener(tenant);
  }

  /** `organization.not_found`, `hl7.name_taken`, `hl7.port_taken`. */
  create({ organizationId, environment }: Tenant, name: string, settings: ListenerSettings): Promise<Hl7Listener> {
    return this.unitOfWork.inSystem(async (transaction) => {
      const statements = statementsOf(transaction);
      await requireOrganization(statements, organizationId);
      await statements.run(LOCK);
      await this.requireFree(statements, settings);
      const { rows } = await statements.run<Row>(INSERT, [
        this.ids.next(),
        organizationId,
        environment,
        name,
        toJsonb(settings),
      ]);
      if (rows[0] === undefined) throw new SuturaError('hl7.name_taken');
      return { ...rows[0], settings };
    });
  }

  /**
   * Running gateways follow within 5 s. `hl7.listener_not_found`, `hl7.name_taken`, `hl7.port_taken`,
   * `request.invalid`.
   */
  change(id: string, { name, settings = {}, enabled }: ListenerChange): Promise<Hl7Listener> {
    if (!isCanonicalUuid(id)) return Promise.reject(new SuturaError('hl7.listener_not_found'));
    return this.unitOfWork.inSystem(async (transaction) => {
      const statements = statementsOf(transaction);
      await statements.run(LOCK);
      const row = (await statements.run<Row>(LOCK_ONE, [id])).rows[0];
      if (row === undefined) throw new SuturaError('hl7.listener_not_found');
      const input = parseSettings(
        LISTENER_SETTINGS,
        mergePatched(row.settings as Readonly<Record<string, unknown>>, settings),
      );
      const others = await this.requireFree(statements, input, id);
      const changed: Hl7Listener = { ...row, name: name ?? row.name, enabled: enabled ?? row.enabled, settings: input };
      if (
        others.some(
          (other) =>
            other.organizationId === row.organizationId &&
            other.environment === row.environment &&
            other.name === changed.name,
        )
      )
        throw new SuturaError('hl7.name_taken');
      await statements.run(UPDATE, [id, changed.name, toJsonb(input), changed.enabled]);
      return changed;
    });
  }

  /** A listener that is not deleted. `hl7.listener_not_found`. */
  async standing(id: string): Promise<Hl7Listener> {
    const found = (await this.list()).find((listener) => listener.id === id);
    if (found === undefined) throw new SuturaError('hl7.listener_not_found');
    return found;
  }

  /** Returns the other listeners. `hl7.port_taken` where one of them, paused or not, has the address. */
  private async requireFree(
    statements: Statements,
    settings: ListenerSettings,
    of: string | null = null,
  ): Promise<Hl7Listener[]> {
    const others = (await statements.run<Row>(LIST, [null])).rows
      .filter(({ id }) => id !== of)
      .flatMap((row) => this.read(row) ?? []);
    if (others.some((other) => isSameAddress(other.settings, settings))) throw new SuturaError('hl7.port_taken');
    return others;
  }

  /** `organization.not_found`. */
  requireOrganization(organizationId: string): Promise<void> {
    return requireOrganization(this.statements, organizationId);
  }

  /** `hl7.listener_not_found`. */
  async delete(id: string): Promise<void> {
    const gone = isCanonicalUuid(id) ? await this.statements.run(DELETE, [id]) : null;
    if (gone === null || gone.rows.length === 0) throw new SuturaError('hl7.listener_not_found');
  }

  private read(row: Row): Hl7Listener | null {
    const settings = LISTENER_SETTINGS.safeParse(row.settings);
    if (settings.success) return { ...row, settings: settings.data };
    this.logger.error('hl7.listener_unreadable', { listenerId: row.id });
    return null;
  }
}

async function requireOrganization(statements: Statements, organizationId: string): Promise<void> {
  const known =
    isCanonicalUuid(organizationId) && (await statements.run(ORGANIZATION, [organizationId])).rows.length > 0;
  if (!known) throw new SuturaError('organization.not_found');
}

/** The id is derived from the tenant and never changes, so that resends over HTTP are recognised without a listener. */
function standingHttpListener({ organizationId, environment }: Tenant): Hl7Listener {
  const digest = createHash('sha256').update(`hl7v2 http ${organizationId} ${environment}`).digest();
  // RFC 9562 5.8: a version 8 UUID may be derived from a hash.
  digest[6] = (digest[6]! & 0x0f) | 0x80;
  digest[8] = (digest[8]! & 0x3f) | 0x80;
  const hex = digest.toString('hex');
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
  return {
    id,
    organizationId,
    environment,
    name: 'http',
    enabled: true,
    settings: LISTENER_SETTINGS.parse({ port: null }),
    createdAt: new Date(0),
  };
}

/** A wildcard address takes the port of every address. */
function isSameAddress(one: ListenerSettings, other: ListenerSettings): boolean {
  if (one.port === null || one.port === 0 || one.port !== other.port) return false;
  return one.host === other.host || [one.host, other.host].some((host) => host === '0.0.0.0' || host === '::');
}
