import type { Columns } from './delivery.js';
import type { QueueDefinition } from './queue-definition.js';

/** Values of a delivery's row, by column. */
export type DeliveryRow = Columns;

/** An endpoint whose row is held by the transaction. */
export interface HeldEndpoint {
  readonly id: string;
  /** The last number assigned; null: the endpoint has no row yet, so none is locked. */
  readonly lastNumber: string | null;
  /** Token of the sender that holds the lease; null: none. */
  readonly leaseToken: string | null;
  /** No number was given between the statement's beginning and its lock, so that `known` and the endpoint are current. */
  readonly isPresent: boolean;
  /** Subject and version, with a blank between, of the deliveries asked about that the endpoint has been given. */
  readonly known: readonly string[];
}

/** Numbers that the endpoints have been given once the statement is run. */
interface Counted {
  readonly ids: readonly string[];
  readonly numbers: readonly number[];
  /** Endpoints whose senders are notified. */
  readonly notified: readonly string[];
  /** The last rows also write the numbers and notify senders. */
  readonly isLast: boolean;
}

/** Statements of so few rows are planned once; there is one text for each number of rows. */
const MOST_PREPARED_ROWS = 4;

export function isPreparedInsert(rows: number): boolean {
  return rows <= MOST_PREPARED_ROWS;
}

/** Statements that put deliveries into the queue. */
export function queueStatements({ deliveries, endpoints, senders, endpointId, channel }: QueueDefinition<unknown>) {
  // Where an endpoint has no row yet, none is locked: its row would come after the others', out of order.
  const unheld = `select from ${endpoints} endpoint where endpoint.id = any($1::uuid[]) and endpoint.deleted_at is null
        and not exists (select from ${senders} sender where sender.${endpointId} = endpoint.id)`;
  return {
    /** $1: endpoints; $2 to $4: endpoint, subject and version of each delivery. Of endpoints that were deleted there is no row. */
    take: `with before as materialized (select ${endpointId} as id, last_number from ${senders} where ${endpointId} = any($1::uuid[])),
      held as materialized (select ${endpointId} as id, last_number, case when lease_until > sutura_now() then lease_token end as lease_token from ${senders} where ${endpointId} = any($1::uuid[]) and not exists (${unheld}) order by ${endpointId} for no key update)
      select endpoint.id, held.last_number as "lastNumber", held.lease_token as "leaseToken", before.last_number = held.last_number as "isPresent",
        array(select wanted.subject_id || ' ' || wanted.version from unnest($2::uuid[], $3::uuid[], $4::int[]) as wanted (endpoint_id, subject_id, version)
          where wanted.endpoint_id = endpoint.id and exists (select from ${deliveries} delivery
            where delivery.${endpointId} = endpoint.id and delivery.subject_id = wanted.subject_id and delivery.version = wanted.version)) as known
      from ${endpoints} endpoint left join held on held.id = endpoint.id left join before on before.id = endpoint.id
      where endpoint.id = any($1::uuid[]) and endpoint.deleted_at is null`,
    /** Its first delivery: the row that is to be held. */
    begin: `insert into ${senders} (${endpointId}, organization_id, environment)
      select id, $2, $3 from ${endpoints} where id = any($1::uuid[]) and deleted_at is null order by id on conflict (${endpointId}) do nothing`,
    /** $4: numbers that are left out. */
    lock: `insert into ${senders} (${endpointId}, organization_id, environment, last_number) values ($1, $2, $3, $4)
      on conflict (${endpointId}) do update set last_number = ${senders}.last_number + $4`,
    insert: (rows: readonly DeliveryRow[], { ids, numbers, notified: notified, isLast }: Counted) => {
      const columns = Object.keys(rows[0]!);
      const first = isLast ? 5 : 1;
      const tuples = rows.map((_, row) => {
        const places = columns.map((__, column) => `$${first + row * columns.length + column}`);
        return `(${places.join(', ')}, 'waiting', sutura_now(), sutura_now())`;
      });
      const written = `insert into ${deliveries} (${columns.join(', ')}, state, next_at, created_at) values ${tuples.join(', ')}`;
      const values = rows.flatMap((row) => columns.map((column) => row[column]));
      if (!isLast) return { sql: written, values };
      const counted = `update ${senders} set last_number = given.number from unnest($1::uuid[], $2::bigint[]) as given (id, number) where ${endpointId} = given.id`;
      return {
        sql: `with written as (${written}), counted as (${counted}) select pg_notify($3, id::text) from unnest($4::uuid[]) as told (id)`,
        values: [ids, numbers, channel, notified, ...values],
      };
    },
    collapse: `update ${deliveries} set state = 'collapsed'
      where ${endpointId} = $1 and subject_id = $2 and version < $3 and preliminary and state = 'waiting' and (unsent or attempts = 0)`,
    lastVersion: `select coalesce(max(version), 0)::int as version from ${deliveries} where ${endpointId} = $1 and subject_id = $2`,
  };
}
