import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { translateDatabaseFault } from './database-fault.js';

/** Names of the two data sources: callers' rows one tenant at a time, and the service's own work over all tenants. */
export const TENANT_SOURCE = 'tenant';
export const SYSTEM_SOURCE = 'system';

export interface Answer<Row> {
  readonly rows: Row[];
  /** Rows written, or read where nothing was written. */
  readonly affected: number;
}

/** Runs SQL with $1, $2 … parameters. Faults of the database come out as `service.unavailable`. */
export abstract class Statements {
  abstract run<Row = Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<Answer<Row>>;
}

/** Single statements, each its own transaction and one round trip. */
class PooledStatements extends Statements {
  constructor(private readonly source: DataSource) {
    super();
  }

  async run<Row>(sql: string, values: readonly unknown[] = []): Promise<Answer<Row>> {
    const pool = (this.source.driver as unknown as { readonly master: Pool }).master;
    try {
      const result = await pool.query<Row & Record<string, unknown>>(sql, [...values]);
      return { rows: result.rows, affected: result.rowCount ?? 0 };
    } catch (error) {
      throw translateDatabaseFault(error);
    }
  }
}

/** Single statements as sutura_app: row-level security shows nothing until the statement itself sets a tenant. */
@Injectable()
export class TenantStatements extends PooledStatements {
  constructor(@InjectDataSource(TENANT_SOURCE) source: DataSource) {
    super(source);
  }
}

/** Single statements as sutura_system, over all tenants. Never reached from a caller's key. */
@Injectable()
export class SystemStatements extends PooledStatements {
  constructor(@InjectDataSource(SYSTEM_SOURCE) source: DataSource) {
    super(source);
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
 * A read that is tried once more where the database failed it at once (a lost connection): what every poll and every
 * request depends on should not fail for one restart of a pooler. A read that waited in vain is not repeated.
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
