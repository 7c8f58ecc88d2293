import type { BlockList } from 'node:net';
import { Injectable } from '@nestjs/common';
import { SystemStatements } from '../../platform/database/statements.js';
import { networksOf } from '../../platform/http-client/address-guard.js';

const OPENED = `select delivery_networks as networks from organizations where id = $1`;

/** Networks inside that the operator opened for the deliveries of one organization alone. A change takes effect with the next request. */
@Injectable()
export class OrganizationNetworks {
  constructor(private readonly statements: SystemStatements) {}

  async of(organizationId: string): Promise<BlockList> {
    const { rows } = await this.statements.run<{ networks: string[] }>(OPENED, [organizationId]);
    return networksOf(rows[0]?.networks ?? []);
  }
}
