import type { IdSource } from '../../core/ports/id-source.js';
import type { Transaction } from '../../core/ports/unit-of-work.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';
import type { BodyStore, NewDelivery } from './delivery.js';
import type { QueueDefinition } from './queue-definition.js';

/** An endpoint as its queue knows it. */
export interface QueuedEndpoint extends Tenant {
  readonly id: string;
  /** A final version takes the place of preliminary ones that were never sent. */
  readonly collapse: boolean;
}

/** Puts deliveries into the queue of their endpoint, each with the next number. */
export class DeliveryQueue<Own> {
  private readonly sql: ReturnType<typeof statementsFor>;

  constructor(
    private readonly definition: QueueDefinition<Own>,
    private readonly bodies: BodyStore,
    private readonly ids: IdSource,
  ) {
    this.sql = statementsFor(definition);
  }

  /**
   * Writes the deliveries, in their order, with the caller's change; senders hear of them at the commit. A delivery whose subject and version
   * the endpoint has already is passed over. Answers how many were written; none for an endpoint that was deleted. Numbers rise in the order
   * of the commits, since the endpoint's row is held until then: several endpoints are to be taken in the order of their ids.
   */
  async enqueue(
    transaction: Transaction,
    endpoint: QueuedEndpoint,
    deliveries: readonly NewDelivery[],
  ): Promise<number> {
    const { id, organizationId, environment } = endpoint;
    const statements = statementsOf(transaction);
    const locked = await statements.runPrepared<Counter>(this.sql.lockExisting, [id, organizationId, environment]);
    if (locked.rows[0] === undefined) return 0;
    const before = Number(locked.rows[0].last_number);
    let last = before;
    for (const delivery of await this.unknown(transaction, id, deliveries)) {
      last += 1;
      await this.insert(transaction, endpoint, delivery, last);
    }
    if (last > before) await statements.runPrepared(this.sql.countAndNotify, [id, last, this.definition.channel, id]);
    return last - before;
  }

  /** Those whose subject and version the endpoint has not been given, each once. */
  private async unknown(
    transaction: Transaction,
    endpointId: string,
    deliveries: readonly NewDelivery[],
  ): Promise<readonly NewDelivery[]> {
    const wanted = new Map<string, NewDelivery>();
    for (const delivery of deliveries) {
      const name = nameOf(delivery);
      if (!wanted.has(name)) wanted.set(name, delivery);
    }
    const { rows } = await statementsOf(transaction).runPrepared<Pick<NewDelivery, 'subjectId' | 'version'>>(
      this.sql.known,
      [endpointId, deliveries.map(({ subjectId }) => subjectId), deliveries.map(({ version }) => version)],
    );
    for (const known of rows) wanted.delete(nameOf(known));
    return [...wanted.values()];
  }

  /** The highest version of the subject that the endpoint has been given; 0: none. */
  async lastVersion(transaction: Transaction, endpointId: string, subjectId: string): Promise<number> {
    const { rows } = await statementsOf(transaction).run<{ version: number }>(this.sql.lastVersion, [
      endpointId,
      subjectId,
    ]);
    return rows[0]!.version;
  }

  /** Nothing is enqueued for these endpoints until the commit. */
  async lock(transaction: Transaction, endpoints: readonly (Tenant & { readonly id: string })[]): Promise<void> {
    // In the order of their ids, as everybody who locks several.
    for (const { id, organizationId, environment } of [...endpoints].sort((a, b) => (a.id < b.id ? -1 : 1)))
      await statementsOf(transaction).run(this.sql.lock, [id, organizationId, environment]);
  }

  private async insert(
    transaction: Transaction,
    { id: endpointId, organizationId, environment, collapse }: QueuedEndpoint,
    { subjectId, version, lane, preliminary, write }: NewDelivery,
    number: number,
  ): Promise<void> {
    const statements = statementsOf(transaction);
    const { bytes, columns } = write(number);
    const id = this.ids.next();
    const row = {
      ...{ id, [this.definition.endpointId]: endpointId, organization_id: organizationId, environment, number },
      ...{ subject_id: subjectId, version, lane, preliminary },
      ...{ [this.definition.body]: this.bodies.seal(bytes, id), size_bytes: bytes.length },
      ...columns,
    };
    const places = Object.keys(row).map((_, index) => `$${index + 1}`);
    await statements.runPrepared(
      `insert into ${this.definition.deliveries} (${Object.keys(row).join(', ')}, state, next_at, created_at)
        values (${places.join(', ')}, 'waiting', sutura_now(), sutura_now())`,
      Object.values(row),
    );
    if (collapse && !preliminary) await statements.run(this.sql.collapse, [endpointId, subjectId, version]);
  }
}

interface Counter {
  readonly last_number: string;
}

function nameOf({ subjectId, version }: Pick<NewDelivery, 'subjectId' | 'version'>): string {
  return `${subjectId} ${version}`;
}

function statementsFor({ deliveries, endpoints, senders, endpointId }: QueueDefinition<unknown>) {
  const held = `on conflict (${endpointId}) do update set last_number = ${senders}.last_number`;
  return {
    /** No row: the endpoint was deleted meanwhile. */
    lockExisting: `insert into ${senders} (${endpointId}, organization_id, environment)
      select id, $2, $3 from ${endpoints} where id = $1 and deleted_at is null ${held} returning last_number`,
    lock: `insert into ${senders} (${endpointId}, organization_id, environment) values ($1, $2, $3) ${held}`,
    known: `select delivery.subject_id as "subjectId", delivery.version from unnest($2::uuid[], $3::int[]) as wanted (subject_id, version)
      join ${deliveries} delivery on delivery.${endpointId} = $1 and delivery.subject_id = wanted.subject_id and delivery.version = wanted.version`,
    countAndNotify: `with counted as (update ${senders} set last_number = $2 where ${endpointId} = $1) select pg_notify($3, $4)`,
    collapse: `update ${deliveries} set state = 'collapsed'
      where ${endpointId} = $1 and subject_id = $2 and version < $3 and preliminary and state = 'waiting' and (unsent or attempts = 0)`,
    lastVersion: `select coalesce(max(version), 0)::int as version from ${deliveries} where ${endpointId} = $1 and subject_id = $2`,
  };
}
