import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { ReadinessProbe } from '../health/readiness.js';
import { poolOf, SYSTEM_SOURCE, TENANT_SOURCE } from './statements.js';

/** Ready when both pools get an answer. */
@Injectable()
export class DatabaseProbe extends ReadinessProbe {
  readonly name = 'database';

  constructor(
    @InjectDataSource(TENANT_SOURCE) private readonly tenant: DataSource,
    @InjectDataSource(SYSTEM_SOURCE) private readonly system: DataSource,
  ) {
    super();
  }

  async check(): Promise<void> {
    await Promise.all([this.tenant, this.system].map((source) => poolOf(source).query('select 1')));
  }
}
