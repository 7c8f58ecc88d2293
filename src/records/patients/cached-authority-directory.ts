import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { AuthorityDirectory, AuthorityTable } from '../../core/patients/authority-table.js';
import type { AuthorityKnowledge } from '../../core/patients/authority.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { AUTHORITIES_CHANNEL, NotificationListener } from '../../platform/database/notification-listener.js';
import { readTwice, SystemStatements } from '../../platform/database/statements.js';
import { AUTHORITY_COLUMNS } from './sql-authority.repository.js';

/** All that is known of the authorities of a tenant, by one statement. */
const KNOWN = `select
  coalesce((select json_agg(authority) from (select ${AUTHORITY_COLUMNS} from authorities where organization_id = $1 and coalesce(environment, $2) = $2 order by created_at, id) authority), '[]') as authorities,
  coalesce((select json_agg(json_build_array(form, system)) from authority_forms where organization_id = $1 and environment = $2), '[]') as forms,
  coalesce((select json_agg(json_build_object('one', one, 'other', other, 'isOpen', settled_at is null)) from authority_proposals
    where organization_id = $1 and environment = $2 and is_same is distinct from true), '[]') as proposals,
  coalesce((select json_agg(json_build_object('sourceId', source_id, 'facility', facility, 'state', state)) from facility_numberings
    where organization_id = $1 and environment = $2), '[]') as numberings`;
/** Where a notification was lost. */
const LIFE_MS = 60_000;
const MOST_KNOWN = 1000;

interface Known {
  readonly table: Promise<AuthorityTable>;
  readonly until: number;
}

@Injectable()
export class CachedAuthorityDirectory extends AuthorityDirectory implements OnModuleDestroy {
  private readonly known = new Map<string, Known>();
  private readonly stopListening: () => void;

  constructor(
    private readonly statements: SystemStatements,
    changes: NotificationListener,
  ) {
    super();
    this.stopListening = changes.on(AUTHORITIES_CHANNEL, () => this.known.clear());
  }

  onModuleDestroy(): void {
    this.stopListening();
  }

  of({ organizationId, environment }: Tenant): Promise<AuthorityTable> {
    const key = `${organizationId} ${environment}`;
    const known = this.known.get(key);
    if (known !== undefined && performance.now() < known.until) return known.table;
    if (this.known.size >= MOST_KNOWN) this.known.clear();
    const table = this.read(organizationId, environment);
    const entry = { table, until: performance.now() + LIFE_MS };
    this.known.set(key, entry);
    table.catch(() => {
      if (this.known.get(key) === entry) this.known.delete(key);
    });
    return table;
  }

  private async read(organizationId: string, environment: string): Promise<AuthorityTable> {
    const { rows } = await readTwice(() =>
      this.statements.run<AuthorityKnowledge>(KNOWN, [organizationId, environment]),
    );
    return new AuthorityTable(rows[0]!);
  }
}
