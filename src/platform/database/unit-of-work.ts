import type { Writable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import {
  Transaction,
  UnitOfWork,
  type SystemTransaction,
  type TenantTransaction,
} from '../../core/ports/unit-of-work.js';
import { tenantOf, type Tenant } from '../../core/tenancy/tenant.js';
import { failpoint } from '../failpoints.js';
import { Logger } from '../logging/logger.js';
import { stateOf, translateDatabaseFault } from './database-fault.js';
import { runOn, SYSTEM_SOURCE, TENANT_SOURCE, workingPoolOf, type Answer, type Statements } from './statements.js';

/** The state of a transaction, shared by all its handles. */
class TransactionCourse {
  readonly actions: (() => void)[] = [];
  readonly last: (() => void)[] = [];
  readonly sent: Promise<void>[] = [];
  sentFault: unknown;
  ended = false;
}

/** One transaction on one connection. */
class SqlTransaction extends Transaction implements Statements {
  constructor(
    protected readonly client: PoolClient,
    protected readonly course = new TransactionCourse(),
  ) {
    super();
  }

  run<Row>(sql: string, values: readonly unknown[] = []): Promise<Answer<Row>> {
    return this.onOpen(() => runOn(this.client, { text: sql, values }));
  }

  runPrepared<Row>(sql: string, values: readonly unknown[] = []): Promise<Answer<Row>> {
    return this.onOpen(() => runOn(this.client, { text: sql, values, prepared: true }));
  }

  /**
   * As runPrepared, for a statement whose result nobody waits for. Sent now, awaited with the commit. If it
   * fails, so does the transaction, with the fault that `toFault` makes of the error. `committed`: told of its rows after the commit.
   */
  sendPrepared<Row>(
    sql: string,
    values: readonly unknown[],
    toFault: (error: unknown) => unknown,
    committed?: (rows: readonly Row[]) => void,
  ): void {
    const answered = this.runPrepared<Row>(sql, values).then(
      ({ rows }) => committed !== undefined && this.afterCommit(() => committed(rows)),
      (error: unknown) => void (this.course.sentFault ??= toFault(error)),
    );
    this.course.sent.push(answered.then(() => undefined));
  }

  /** Called right before the commit is sent; may send further statements by sendPrepared. */
  beforeCommit(action: () => void): void {
    this.course.last.push(action);
  }

  /** Sends what was put off until the end. */
  sendLast(): void {
    for (const action of this.course.last) action();
  }

  afterCommit(action: () => void): void {
    this.course.actions.push(action);
  }

  /** Takes no further statement. Returns the work to run after the commit. */
  end(): readonly (() => void)[] {
    this.course.ended = true;
    return this.course.actions;
  }

  /** Resolves once the statements that were sent without waiting are answered. Throws if one failed. */
  async sentAnswered(): Promise<void> {
    await Promise.all(this.course.sent);
    if (this.course.sentFault !== undefined) throw this.course.sentFault;
  }

  /** Statements behind a failed one fail for that reason alone. */
  causeOf(error: unknown): unknown {
    return this.course.sentFault ?? error;
  }

  private onOpen<T>(work: () => Promise<T>): Promise<T> {
    if (this.course.ended) return Promise.reject(new Error('A transaction was used after its end.'));
    holdWrites(this.client);
    return work();
  }
}

class SqlTenantTransaction extends SqlTransaction {
  constructor(
    client: PoolClient,
    readonly tenant: Tenant,
    course?: TransactionCourse,
  ) {
    super(client, course);
  }
}

class SqlSystemTransaction extends SqlTransaction {
  about(tenant: Tenant): TenantTransaction {
    return new SqlTenantTransaction(this.client, tenantOf(tenant), this.course);
  }
}

/** The statements of a transaction that this unit of work opened. */
export function statementsOf(transaction: Transaction): SqlTransaction {
  if (transaction instanceof SqlTransaction) return transaction;
  throw new Error('This transaction is not one of the database.');
}

/**
 * The only place that opens transactions (READ COMMITTED). Faults of the database become `service.unavailable`,
 * faults of a caller's data `data.conflict` and `data.unusable`. Nothing is repeated here, as only the caller knows
 * if its work may run twice.
 */
@Injectable()
export class SqlUnitOfWork extends UnitOfWork {
  constructor(
    @InjectDataSource(TENANT_SOURCE) private readonly tenantSource: DataSource,
    @InjectDataSource(SYSTEM_SOURCE) private readonly systemSource: DataSource,
    private readonly logger: Logger,
  ) {
    super();
  }

  inTenant<T>(tenant: Tenant, work: (transaction: TenantTransaction) => Promise<T>): Promise<T> {
    const own = tenantOf(tenant);
    return this.inTransaction<T, SqlTenantTransaction>(
      this.tenantSource,
      own,
      (client) => new SqlTenantTransaction(client, own),
      work,
    );
  }

  inSystem<T>(work: (transaction: SystemTransaction) => Promise<T>): Promise<T> {
    return this.inTransaction<T, SqlSystemTransaction>(
      this.systemSource,
      null,
      (client) => new SqlSystemTransaction(client),
      work,
    );
  }

  private async inTransaction<T, Opened extends SqlTransaction>(
    source: DataSource,
    tenant: Tenant | null,
    open: (client: PoolClient) => Opened,
    work: (transaction: Opened) => Promise<T>,
  ): Promise<T> {
    const client = await connect(source);
    client.on('error', lost);
    const transaction = open(client);
    let result: T;
    try {
      holdWrites(client);
      const begun = client.query(beginning(client, tenant));
      // The caller's first statement is sent with it. If only the beginning failed, row-level security would hide
      // every row from that statement and refuse its writes.
      if (tenant === null) await begun;
      else begun.catch(toldLater);
      result = await work(transaction);
      await begun;
      await failpoint('database_statement');
      transaction.sendLast();
      transaction.end();
      holdWrites(client);
      const [{ command }] = await Promise.all([client.query('commit'), transaction.sentAnswered()]);
      // PostgreSQL answers this if a statement failed and its error was ignored.
      if (command !== 'COMMIT') throw new Error('A transaction with a failed statement cannot be committed.');
      release(client);
    } catch (error) {
      transaction.end();
      await this.rollBack(client);
      throw this.translated(transaction.causeOf(error), tenant);
    }
    this.runAll(transaction.end());
    return result;
  }

  /** Logs a fault of a caller's data, without the data: it should have been refused before. */
  private translated(error: unknown, tenant: Tenant | null): unknown {
    const translated = translateDatabaseFault(error, tenant === null ? 'service' : 'caller');
    if (isSuturaError(translated, 'data.conflict', 'data.unusable') && translated !== error) {
      const { constraint = null, table = null } = error as { readonly constraint?: string; readonly table?: string };
      this.logger.warn('database.refused', { sqlState: stateOf(error) ?? null, constraint, table });
    }
    return translated;
  }

  private async rollBack(client: PoolClient): Promise<void> {
    try {
      await client.query('rollback');
      release(client);
    } catch {
      // A connection whose transaction may still be open must not go back to the pool.
      release(client, true);
    }
  }

  private runAll(actions: readonly (() => void)[]): void {
    for (const action of actions) {
      try {
        action();
      } catch (error) {
        // The work is committed, so the caller must hear of success.
        this.logger.error('database.after_commit_failed', {}, error);
      }
    }
  }
}

/** What is sent on a connection until the promises of this turn have run leaves in one write, and wakes its server process once. */
function holdWrites(client: PoolClient): void {
  const { stream } = (client as PoolClient & { readonly connection: { readonly stream: Writable } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

async function connect(source: DataSource): Promise<PoolClient> {
  try {
    return await workingPoolOf(source).connect();
  } catch (error) {
    throw translateDatabaseFault(error);
  }
}

/** The transaction waits for its beginning before it ends. */
function toldLater(): void {
  // Nothing to do.
}

/**
 * A connection lost between two statements emits an event, which would end the process without a listener. The next
 * statement fails.
 */
function lost(): void {
  // The next statement fails with it.
}

function release(client: PoolClient, destroy = false): void {
  client.off('error', lost);
  client.release(destroy);
}

/** The beginning and the tenant in one round trip. */
function beginning(client: PoolClient, tenant: Tenant | null): string {
  if (tenant === null) return 'begin';
  const [organization, environment] = [
    client.escapeLiteral(tenant.organizationId),
    client.escapeLiteral(tenant.environment),
  ];
  // Not `select set_config`, which PostgreSQL plans and answers: 0.04 ms of a core more, and as much here.
  return `begin; set local app.organization = ${organization}; set local app.environment = ${environment}`;
}
