import { Injectable } from '@nestjs/common';
import { IdSource } from '../../../../core/ports/id-source.js';
import type { Tenant } from '../../../../core/tenancy/tenant.js';
import { Settings } from '../../../../platform/config/settings.js';
import { SystemStatements, toJsonb } from '../../../../platform/database/statements.js';
import { LISTENER_SETTINGS } from './hl7-listener.js';

const NAME = 'demo';
const UPSERT = `insert into hl7_listeners (id, organization_id, environment, name, settings, created_at) values ($1, $2, $3, '${NAME}', $4, sutura_now())
  on conflict (organization_id, environment, name) where deleted_at is null do update set settings = hl7_listeners.settings || jsonb_build_object('port', excluded.settings -> 'port')`;

/** The listener of the demo organization, on the HL7_PORT of this start. Only for the embedded database. */
@Injectable()
export class DemoListener {
  constructor(
    private readonly statements: SystemStatements,
    private readonly ids: IdSource,
    private readonly settings: Settings,
  ) {}

  async ensure({ organizationId, environment }: Tenant): Promise<void> {
    const settings = LISTENER_SETTINGS.parse({ port: this.settings.hl7.port, http: true });
    await this.statements.run(UPSERT, [this.ids.next(), organizationId, environment, toJsonb(settings)]);
  }
}
