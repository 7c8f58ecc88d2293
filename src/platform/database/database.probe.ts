import { Injectable } from '@nestjs/common';
import { ReadinessProbe } from '../health/readiness.js';
import { SystemStatements, TenantStatements } from './statements.js';

/** Ready when both pools get an answer. */
@Injectable()
export class DatabaseProbe extends ReadinessProbe {
  readonly name = 'database';

  constructor(
    private readonly tenant: TenantStatements,
    private readonly system: SystemStatements,
  ) {
    super();
  }

  async check(): Promise<void> {
    await Promise.all([this.tenant.run('select 1'), this.system.run('select 1')]);
  }
}
