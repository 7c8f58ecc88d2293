import { Injectable } from '@nestjs/common';
import { AuditWitness, type RemovedRows } from '../../core/audit/audit-witness.js';
import { SystemStatements } from '../../platform/database/statements.js';
import type { WrittenRow } from './audit-insert.js';

/** Minutes of a busy process; beyond them the oldest are not watched. */
const MOST_WATCHED = 50_000;
/** Seals of before need not be looked at: rows that are watched are younger. */
const YOUNG_MS = 20 * 60_000;
const LOOK = `with given as (select unnest($1::bigint[]) as id),
  sealed as (select unnest(event_ids) as id from audit_seals where sealed_at > sutura_now() - interval '30 minutes')
  select given.id::text as id, exists (select from sealed where sealed.id = given.id) as sealed,
      exists (select from audit_events event where event.id = given.id) as there from given`;

interface Seen {
  readonly id: string;
  readonly sealed: boolean;
  readonly there: boolean;
}

@Injectable()
export class SqlAuditWitness extends AuditWitness {
  /** In the order in which they were written. */
  private readonly watched = new Map<string, { readonly row: WrittenRow; readonly sinceMs: number }>();

  constructor(private readonly statements: SystemStatements) {
    super();
  }

  /** Of rows that are committed. */
  note(rows: readonly WrittenRow[]): void {
    const sinceMs = performance.now();
    for (const row of rows) this.watched.set(row.id, { row, sinceMs });
    for (const id of this.watched.keys()) {
      if (this.watched.size <= MOST_WATCHED) break;
      this.watched.delete(id);
    }
  }

  async removed(): Promise<readonly RemovedRows[]> {
    this.forgetOld();
    if (this.watched.size === 0) return [];
    const { rows } = await this.statements.run<Seen>(LOOK, [[...this.watched.keys()]]);
    const chains = new Map<string, { readonly tenant: WrittenRow; readonly ids: string[] }>();
    for (const { id, sealed, there } of rows) {
      const row = this.watched.get(id)?.row;
      if (row === undefined || (there && !sealed)) continue;
      this.watched.delete(id);
      if (sealed) continue;
      const name = `${row.organizationId} ${row.environment}`;
      const chain = chains.get(name) ?? { tenant: row, ids: [] };
      chain.ids.push(id);
      chains.set(name, chain);
    }
    return [...chains.values()].map(({ tenant: { organizationId, environment }, ids }) => ({
      organizationId,
      environment,
      ids,
    }));
  }

  /** Nothing was sealed for so long, which has an alarm of its own. */
  private forgetOld(): void {
    const beforeMs = performance.now() - YOUNG_MS;
    for (const [id, { sinceMs }] of this.watched) {
      if (sinceMs >= beforeMs) break;
      this.watched.delete(id);
    }
  }
}
