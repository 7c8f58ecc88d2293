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
    if ((await statements.run(this.sql.lockExisting, [id, organizationId, environment])).rows.length === 0) return 0;
    let written = 0;
    for (const delivery of deliveries) {
      if ((await statements.run(this.sql.known, [id, delivery.subjectId, delivery.version])).rows.length > 0) continue;
      await this.insert(transaction, endpoint, delivery);
      written += 1;
    }
    if (written > 0) await statements.run(this.sql.notify, [this.definition.channel, id]);
    return written;
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
  ): Promise<void> {
    const statements = statementsOf(transaction);
    const { rows } = await statements.run<{ last_number: string }>(this.sql.count, [endpointId]);
    const number = Number(rows[0]!.last_number);
    const { bytes, columns } = write(number);
    const id = this.ids.next();
    const row = {
      ...{ id, [this.definition.endpointId]: endpointId, organization_id: organizationId, environment, number },
      ...{ subject_id: subjectId, version, lane, preliminary },
      ...{ [this.definition.body]: this.bodies.seal(bytes, id), size_bytes: bytes.length },
      ...columns,
    };
    const places = Object.keys(row).map((_, index) => `$${index + 1}`);
    await statements.run(
      `insert into ${this.definition.deliveries} (${Object.keys(row).join(', ')}, state, next_at, created_at)
        values (${places.join(', ')}, 'waiting', sutura_now(), sutura_now())`,
      Object.values(row),
    );
    if (collapse && !preliminary) await statements.run(this.sql.collapse, [endpointId, subjectId, version]);
  }
}

function statementsFor({ deliveries, endpoints, senders, endpointId }: QueueDefinition<unknown>) {
  const held = `on conflict (${endpointId}) do update set last_number = ${senders}.last_number`;
  return {
    /** No row: the endpoint was deleted meanwhile. */
    lockExisting: `insert into ${senders} (${endpointId}, organization_id, environment)
      select id, $2, $3 from ${endpoints} where id = $1 and deleted_at is null ${held} returning last_number`,
    lock: `insert into ${senders} (${endpointId}, organization_id, environment) values ($1, $2, $3) ${held}`,
    known: `select from ${deliveries} where ${endpointId} = $1 and subject_id = $2 and version = $3`,
    count: `update ${senders} set last_number = last_number + 1 where ${endpointId} = $1 returning last_number`,
    collapse: `update ${deliveries} set state = 'collapsed'
      where ${endpointId} = $1 and subject_id = $2 and version < $3 and preliminary and state = 'waiting' and (unsent or attempts = 0)`,
    lastVersion: `select coalesce(max(version), 0)::int as version from ${deliveries} where ${endpointId} = $1 and subject_id = $2`,
    notify: 'select pg_notify($1, $2)',
  };
}
