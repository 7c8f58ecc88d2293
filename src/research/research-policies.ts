import { Injectable } from '@nestjs/common';
import { SystemStatements } from '../platform/database/statements.js';

const FIND =
  'select allowed_by as "allowedBy", allowed_at as "allowedAt" from research_policies where organization_id = $1';
const ALLOW = `insert into research_policies (organization_id, allowed_by, allowed_at) values ($1, $2, sutura_now()) on conflict do nothing`;
const FORBID = 'delete from research_policies where organization_id = $1';

/** Who let the organization's results be taken away for research, and when. */
export interface ResearchPolicy {
  readonly allowedBy: string;
  readonly allowedAt: Date;
}

/** Whether organizations allow the export of de-identified results; off by default. */
@Injectable()
export class ResearchPolicies {
  constructor(private readonly statements: SystemStatements) {}

  /** null: it does not. */
  async find(organizationId: string): Promise<ResearchPolicy | null> {
    return (await this.statements.run<ResearchPolicy>(FIND, [organizationId])).rows[0] ?? null;
  }

  async allow(organizationId: string, operator: string): Promise<void> {
    await this.statements.run(ALLOW, [organizationId, operator]);
  }

  async forbid(organizationId: string): Promise<void> {
    await this.statements.run(FORBID, [organizationId]);
  }
}
