import { Injectable } from '@nestjs/common';
import { ResourceOwners, type OwnedKind } from '../../core/users/resource-owners.js';
import { isCanonicalUuid, SystemStatements } from '../../platform/database/statements.js';

/** An id is in one table at most. */
const TABLES: Readonly<Record<OwnedKind, readonly string[]>> = {
  key: ['api_keys'],
  client: ['oauth_clients'],
  listener: ['hl7_listeners'],
  destination: ['hl7_destinations'],
  message: ['hl7_inbound', 'hl7_outbox'],
  delivery: ['webhook_deliveries', 'fhir_subscription_deliveries', 'hl7_outbox', 'ehr_deliveries'],
  endpoint: ['webhooks', 'fhir_subscriptions', 'hl7_destinations', 'ehrs'],
  webhook: ['webhooks'],
};

@Injectable()
export class SqlResourceOwners extends ResourceOwners {
  constructor(private readonly statements: SystemStatements) {
    super();
  }

  async ownerOf(kind: OwnedKind, id: string): Promise<string | null> {
    if (!isCanonicalUuid(id)) return null;
    const select = TABLES[kind].map((table) => `select organization_id as owner from ${table} where id = $1`);
    const { rows } = await this.statements.run<{ owner: string }>(select.join(' union all '), [id]);
    const [first, ...others] = rows;
    return first === undefined || others.some(({ owner }) => owner !== first.owner) ? null : first.owner;
  }
}
