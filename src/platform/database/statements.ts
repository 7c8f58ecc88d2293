import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { createHash } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { isSuturaError, SuturaError } from '../../core/errors/sutura-error.js';
import { translateDatabaseFault, type Behalf } from './database-fault.js';

/** Names of the two data sources: callers' rows one tenant at a time, and the service's own work over all tenants. */
export const TENANT_SOURCE = 'tenant';
export const SYSTEM_SOURCE = 'system';

export interface Answer<Row> {
  readonly rows: Row[];
  /** Rows written; of a statement that writes none, rows read. */
  readonly affected: number;
}

/** Runs SQL with $1, $2 … parameters. Faults of the database come out as `service.unavailable`. */
export abstract class Statements {
  abstract run<Row = Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<Answer<Row>>;
  /**
   * As run, but parsed and planned once on each connection. For frequent statements whose planning is a good part of
   * their time. They take memory there, and their plan does not know the values. They name their columns: PostgreSQL
   * refuses one whose answer changes, as `select *` does once a later release adds a column beside this one.
   */
  abstract runPrepared<Row = Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<Answer<Row>>;
}

/** The pool of connections under a data source. */
export function poolOf(source: DataSource): Pool {
  const pool = (source.driver as typeof source.driver & { readonly master?: Pool }).master;
  if (pool === undefined) throw new Error('Driver not Connected');
  return pool;
}

const fenced = new WeakSet<DataSource>();
const RETRY_AFTER_S = 10;

/** Refuses all further statements of this process. */
export function fenceOff(source: DataSource): void {
  fenced.add(source);
}

export function admitTo(source: DataSource): void {
  fenced.delete(source);
}

/** As `poolOf`, for the work of the service. `service.unavailable` once it is fenced off. */
export function workingPoolOf(source: DataSource): Pool {
  if (fenced.has(source)) throw new SuturaError('service.unavailable', { retryAfterS: RETRY_AFTER_S });
  return poolOf(source);
}

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly prepared?: boolean;
}

/** Runs a statement on a connection, or on any of a pool. */
export async function runOn<Row>(
  connection: Pick<ClientBase, 'query'>,
  { text, values, prepared = false }: Statement,
): Promise<Answer<Row>> {
  const result = await connection.query<Row & Record<string, unknown>>({
    text,
    values: [...values],
    ...(prepared ? { name: nameOf(text) } : {}),
  });
  return { rows: result.rows, affected: result.rowCount ?? 0 };
}

const names = new Map<string, string>();

/** One name for each text. Prepared statements are few, as their texts are constants or composed of few parts. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = createHash('sha1').update(text).digest('base64url');
  names.set(text, name);
  return name;
}

/** Single statements, each its own transaction and one round trip. */
class PooledStatements extends Statements {
  constructor(
    private readonly source: DataSource,
    private readonly behalf: Behalf,
  ) {
    super();
  }

  run<Row>(sql: string, values: readonly unknown[] = []): Promise<Answer<Row>> {
    return this.translated({ text: sql, values });
  }

  runPrepared<Row>(sql: string, values: readonly unknown[] = []): Promise<Answer<Row>> {
    return this.translated({ text: sql, values, prepared: true });
  }

  private async translated<Row>(statement: Statement): Promise<Answer<Row>> {
    try {
      return await runOn<Row>(workingPoolOf(this.source), statement);
    } catch (error) {
      throw translateDatabaseFault(error, this.behalf);
    }
  }
}

/** Single statements as sutura_app: row-level security shows nothing until the statement itself sets a tenant. */
@Injectable()
export class TenantStatements extends PooledStatements {
  constructor(@InjectDataSource(TENANT_SOURCE) source: DataSource) {
    super(source, 'caller');
  }
}

/** Single statements as sutura_system, over all tenants. Never reached from a caller's key. */
@Injectable()
export class SystemStatements extends PooledStatements {
  constructor(@InjectDataSource(SYSTEM_SOURCE) source: DataSource) {
    super(source, 'service');
  }
}

/** A value for a jsonb parameter: the driver would turn arrays into PostgreSQL arrays. */
export function toJsonb(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

const CANONICAL_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** True for ids as this service writes them. Anything else is unknown without asking the database. */
export function isCanonicalUuid(text: string): boolean {
  return text.length === 36 && CANONICAL_UUID.test(text);
}

const QUICK_FAILURE_MS = 1000;

/**
 * Retries a read once if the database failed it at once (lost connection), so that requests survive the restart of a pooler. A read that timed out is not repeated.
 */
export async function readTwice<T>(read: () => Promise<T>): Promise<T> {
  const began = performance.now();
  try {
    return await read();
  } catch (error) {
    if (!isSuturaError(error, 'service.unavailable') || performance.now() - began > QUICK_FAILURE_MS) throw error;
    return read();
  }
}
