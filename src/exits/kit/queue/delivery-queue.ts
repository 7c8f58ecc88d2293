import type { IdSource } from '../../../core/ports/id-source.js';
import type { Transaction } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import type { BodyStore, NewDelivery } from './delivery.js';
import type { Handover } from './handover.js';
import type { DueDelivery } from './leased-deliveries.js';
import { isPreparedInsert, queueStatements, type DeliveryRow, type HeldEndpoint } from './queue-statements.js';
import type { QueueDefinition } from './queue-definition.js';

/** An endpoint as its queue knows it. */
export interface QueuedEndpoint extends Tenant {
  readonly id: string;
  /** A final version takes the place of preliminary ones that were never sent. */
  readonly collapse: boolean;
}

/** New deliveries for one endpoint, in order. */
export interface DeliveryBatch {
  readonly endpoint: QueuedEndpoint;
  readonly deliveries: readonly NewDelivery[];
}

/** Deliveries with their numbers. */
interface NumberedBatch {
  readonly endpoint: QueuedEndpoint;
  readonly deliveries: readonly NewDelivery[];
  readonly lastNumber: number;
  readonly leaseToken: string | null;
}

type HeldRow = Tenant & { readonly id: string };

/** Most rows of one statement: PostgreSQL allows 65,535 parameters. */
const MOST_ROWS = 1000;

/** Puts deliveries into the queue of their endpoint, each with the next number. */
export class DeliveryQueue<Own> {
  private readonly sql: ReturnType<typeof queueStatements>;

  constructor(
    private readonly definition: QueueDefinition<Own>,
    private readonly bodies: BodyStore,
    private readonly ids: IdSource,
    /** Hands deliveries to senders of this process from memory. */
    readonly handover: Handover<Own> | null = null,
  ) {
    this.sql = queueStatements(definition);
  }

  /**
   * Writes the deliveries, in their order, with the caller's change; senders hear of them at the commit. A delivery whose subject and version
   * the endpoint has already is passed over. Returns how many were written; none for a deleted endpoint. Numbers rise in the order
   * of the commits, since the endpoint's row is held until then: who calls it for several endpoints does so in the order of their ids.
   */
  enqueue(transaction: Transaction, endpoint: QueuedEndpoint, deliveries: readonly NewDelivery[]): Promise<number> {
    return this.enqueueAll(transaction, [{ endpoint, deliveries }]);
  }

  /** As `enqueue`, for several endpoints of one tenant in as many statements as for one. */
  async enqueueAll(transaction: Transaction, batches: readonly DeliveryBatch[]): Promise<number> {
    const wanted = batches.filter(({ deliveries }) => deliveries.length > 0);
    if (wanted.length === 0) return 0;
    const held = await this.take(transaction, wanted);
    const numbered = wanted.flatMap(({ endpoint, deliveries }): NumberedBatch[] => {
      const taken = held.get(endpoint.id);
      if (taken === undefined) return [];
      const left = unknownOf(deliveries, taken.known);
      return left.length === 0 ? [] : [{ endpoint, deliveries: left, ...taken }];
    });
    return this.insert(transaction, numbered);
  }

  /** The highest version of the subject that the endpoint has been given; 0: none. */
  async lastVersion(transaction: Transaction, endpointId: string, subjectId: string): Promise<number> {
    const { rows } = await statementsOf(transaction).run<{ version: number }>(this.sql.lastVersion, [
      endpointId,
      subjectId,
    ]);
    return rows[0]!.version;
  }

  /**
   * Called before the endpoint is deleted in this transaction: nothing is enqueued for it and `others` until the commit. Of the endpoint a
   * number is left out, by which a statement that waited for the lock notices the change, looks again, and writes nothing for it.
   */
  async close(transaction: Transaction, endpoint: HeldRow, others: readonly HeldRow[] = []): Promise<void> {
    // In the order of ids, like every lock of several rows.
    for (const { id, organizationId, environment } of [endpoint, ...others].sort((a, b) => (a.id < b.id ? -1 : 1))) {
      const leftOut = id === endpoint.id ? 1 : 0;
      await statementsOf(transaction).run(this.sql.lock, [id, organizationId, environment, leftOut]);
    }
  }

  /** Locks the endpoints that exist. `known`: the deliveries that they were given before. */
  private async take(
    transaction: Transaction,
    batches: readonly DeliveryBatch[],
  ): Promise<
    ReadonlyMap<string, Pick<NumberedBatch, 'lastNumber' | 'leaseToken'> & { readonly known: readonly string[] }>
  > {
    const statements = statementsOf(transaction);
    const { organizationId, environment } = batches[0]!.endpoint;
    const endpointIds = batches.map(({ endpoint }) => endpoint.id);
    const all = batches.flatMap(({ endpoint, deliveries }) =>
      deliveries.map(({ subjectId, version }) => [endpoint.id, subjectId, version] as const),
    );
    const values = [endpointIds, all.map(([id]) => id), all.map(([, id]) => id), all.map(([, , version]) => version)];
    const look = () => statements.runPrepared<HeldEndpoint>(this.sql.take, values);
    let { rows } = await look();
    if (rows.some(({ lastNumber }) => lastNumber === null)) {
      await statements.run(this.sql.begin, [endpointIds, organizationId, environment]);
      ({ rows } = await look());
    }
    // Another transaction held the lock when this statement began: its snapshot is stale.
    if (rows.some(({ isPresent }) => !isPresent)) ({ rows } = await look());
    return new Map(rows.map(({ id, lastNumber, ...held }) => [id, { lastNumber: Number(lastNumber), ...held }]));
  }

  private async insert(transaction: Transaction, batches: readonly NumberedBatch[]): Promise<number> {
    const statements = statementsOf(transaction);
    const rowsOf = batches.map(({ endpoint, deliveries, lastNumber }) =>
      deliveries.map((delivery, index) => this.rowOf(endpoint, delivery, lastNumber + index + 1)),
    );
    const rows = rowsOf.flat();
    const handed = isPreparedInsert(rows.length) ? this.handedOver(transaction, batches, rowsOf) : new Set<string>();
    const ids = batches.map(({ endpoint }) => endpoint.id);
    const numbers = batches.map(({ lastNumber, deliveries }) => lastNumber + deliveries.length);
    for (let from = 0; from < rows.length; from += MOST_ROWS) {
      const { sql, values } = this.sql.insert(rows.slice(from, from + MOST_ROWS), {
        ids,
        numbers,
        notified: ids.filter((id) => !handed.has(id)),
        isLast: from + MOST_ROWS >= rows.length,
      });
      // The answer is not needed: few rows are sent together with the commit.
      if (isPreparedInsert(rows.length)) statements.sendPrepared(sql, values, (error) => error);
      else await statements.run(sql, values);
    }
    for (const { endpoint, deliveries } of batches)
      for (const { preliminary, subjectId, version } of deliveries)
        if (endpoint.collapse && !preliminary)
          await statements.run(this.sql.collapse, [endpoint.id, subjectId, version]);
    return rows.length;
  }

  /** Hands deliveries, once committed, to senders of this process. Returns the ids of their endpoints. */
  private handedOver(
    transaction: Transaction,
    batches: readonly NumberedBatch[],
    rowsOf: readonly (readonly DeliveryRow[])[],
  ): ReadonlySet<string> {
    const { handover } = this;
    const taken = new Set<string>();
    for (const [index, { endpoint, deliveries, lastNumber, leaseToken }] of batches.entries()) {
      if (handover === null || !handover.reaches(leaseToken)) continue;
      const due = rowsOf[index]!.map((row, place) => this.dueOf(row, deliveries[place]!.subjectId));
      transaction.afterCommit(() => handover.give(leaseToken, { firstNumber: lastNumber + 1, deliveries: due }));
      taken.add(endpoint.id);
    }
    return taken;
  }

  private rowOf(
    { id: endpointId, organizationId, environment }: QueuedEndpoint,
    { subjectId, version, lane, preliminary, write }: NewDelivery,
    number: number,
  ): DeliveryRow {
    const { bytes, columns } = write(number);
    const id = this.ids.next();
    return {
      id,
      [this.definition.endpointId]: endpointId,
      organization_id: organizationId,
      environment,
      number,
      subject_id: subjectId,
      version,
      lane,
      preliminary,
      [this.definition.body]: this.bodies.seal(bytes, id),
      size_bytes: bytes.length,
      ...columns,
    };
  }

  /** The delivery as its sender would read it from the database. */
  private dueOf(row: DeliveryRow, subjectId: string): DueDelivery<Own> {
    const { body, ownColumns } = this.definition;
    const id = row['id'] as string;
    const own = Object.entries<string>(ownColumns).map(([name, column]) => [name, row[column] ?? null]);
    return {
      id,
      subjectId,
      attempts: 1,
      failures: 0,
      refusals: 0,
      unsent: true,
      ...(Object.fromEntries(own) as Own),
      bytes: this.bodies.open(row[body] as Buffer, id),
    };
  }
}

/** Those that the endpoint has not been given yet, without duplicates. */
function unknownOf(deliveries: readonly NewDelivery[], known: readonly string[]): readonly NewDelivery[] {
  const named = new Set(known);
  return deliveries.filter(({ subjectId, version }) => {
    const name = `${subjectId} ${version}`;
    if (named.has(name)) return false;
    named.add(name);
    return true;
  });
}
