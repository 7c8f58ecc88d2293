import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Client } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import { Transaction, UnitOfWork } from '../../core/ports/unit-of-work.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { failpoint } from '../failpoints.js';
import { Logger } from '../logging/logger.js';
import { translateDatabaseFault } from './database-fault.js';
import { SYSTEM_SOURCE, TENANT_SOURCE, type Answer, type Statements } from './statements.js';

/** One transaction on one connection. */
export class SqlTransaction extends Transaction implements Statements {
  private readonly actions: (() => void)[] = [];
  private ended = false;

  constructor(private readonly runner: QueryRunner) {
    super();
  }

  async run<Row>(sql: string, values: readonly unknown[] = []): Promise<Answer<Row>> {
    if (this.ended) throw new Error('A transaction was used after its end.');
    const result = await this.runner.query(sql, [...values], true);
    return { rows: result.records as Row[], affected: result.affected ?? 0 };
  }

  afterCommit(action: () => void): void {
    this.actions.push(action);
  }

  /** From here on no statement is taken; returns what was asked to run after the commit. */
  end(): readonly (() => void)[] {
    this.ended = true;
    return this.actions;
  }
}

/** The statements of a transaction that this unit of work opened. */
export function statementsOf(transaction: Transaction): Statements {
  if (transaction instanceof SqlTransaction) return transaction;
  throw new Error('This transaction is not one of the database.');
}

/**
 * The only place that opens transactions (READ COMMITTED). Faults of the database come out as `service.unavailable`;
 * nothing is repeated here, since only the caller knows whether its work may run twice.
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

  inTenant<T>(tenant: Tenant, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.inTransaction(this.tenantSource, async (transaction) => {
      await transaction.run(`select set_config('app.organization', $1, true), set_config('app.environment', $2, true)`, [
        tenant.organizationId,
        tenant.environment,
      ]);
      return work(transaction);
    });
  }

  inSystem<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.inTransaction(this.systemSource, work);
  }

  private async inTransaction<T>(source: DataSource, work: (transaction: SqlTransaction) => Promise<T>): Promise<T> {
    const runner = source.createQueryRunner();
    const transaction = new SqlTransaction(runner);
    let result: T;
    try {
      await runner.startTransaction();
      result = await work(transaction);
      await failpoint('database_statement');
      transaction.end();
      await runner.commitTransaction();
    } catch (error) {
      transaction.end();
      await this.rollBack(runner);
      throw translateDatabaseFault(error);
    } finally {
      await runner.release();
    }
    this.runAll(transaction.end());
    return result;
  }

  private async rollBack(runner: QueryRunner): Promise<void> {
    if (runner.isReleased || !runner.isTransactionActive) return;
    try {
      await runner.rollbackTransaction();
    } catch {
      // A connection whose transaction may still be open must not go back to the pool; the pool drops one that is ending.
      if (!runner.isReleased) void ((await runner.connect().catch(() => undefined)) as Client | undefined)?.end().catch(() => undefined);
    }
  }

  private runAll(actions: readonly (() => void)[]): void {
    for (const action of actions) {
      try {
        action();
      } catch (error) {
        // The work is committed: its caller must hear of success.
        this.logger.error('database.after_commit_failed', {}, error);
      }
    }
  }
}
