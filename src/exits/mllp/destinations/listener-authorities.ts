import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { SystemStatements } from '../../../platform/database/statements.js';
import type { DestinationSettings } from '../settings/hl7-destination.js';
import type { Authorities } from '../settings/authorities.js';

const SYSTEMS = `select listed.key, listed.value from hl7_listeners listener cross join lateral jsonb_each_text(listener.settings -> 'systems') listed
  where listener.organization_id = $1 and listener.environment = $2 and listener.deleted_at is null and jsonb_typeof(listener.settings -> 'systems') = 'object'
  order by listener.created_at, listener.id`;
const OID = /^[0-2](?:\.\d+)+$/;
/** Names of authorities: without characters that could end a field or a part of one. */
const WRITABLE = /^[^|^~\\&\p{Cc}]+$/u;

/** The assigning authorities that listeners of a tenant map to a URI, turned round: identifiers go out under the name that they came in with. */
@Injectable()
export class ListenerAuthorities {
  constructor(private readonly statements: SystemStatements) {}

  /** A namespace comes before a universal id, an older listener before a younger one. */
  async ofTenant({ organizationId, environment }: Tenant): Promise<Authorities> {
    const { rows } = await this.statements.run<{ key: string; value: string }>(SYSTEMS, [organizationId, environment]);
    const known: Record<string, string> = {};
    const usable = rows.filter(({ key }) => WRITABLE.test(key));
    for (const { key, value } of usable.filter(({ key: name }) => !OID.test(name))) known[value] ??= key;
    for (const { key, value } of usable.filter(({ key: name }) => OID.test(name))) known[value] ??= `&${key}&ISO`;
    return known;
  }
}

/** The destination's own settings come first. */
export function withAuthorities(settings: DestinationSettings, known: Authorities): DestinationSettings {
  return { ...settings, authorities: { ...known, ...settings.authorities } };
}
