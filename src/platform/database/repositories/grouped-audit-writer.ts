import type { Statements } from '../statements.js';

/** A row of audit_events before it is expanded into one for each patient. */
export interface AuditEntry {
  readonly organization_id: string;
  readonly environment: string;
  readonly door: string;
  readonly interaction: string;
  readonly action: string;
  readonly key_id: string;
  readonly request_id: string | null;
  readonly address: string | null;
  readonly patients: readonly string[];
  readonly wound: string | null;
  readonly resources: readonly string[];
  readonly query: string | null;
}

const OF_WOUND = `select w.patient_id from wounds w
    where w.id = given.wound and w.organization_id = given.organization_id and w.environment = given.environment`;
const INSERT = `insert into audit_events (organization_id, environment, recorded_at, door, interaction, action, key_id, request_id, address, patient_id, resources, query)
  select given.organization_id, given.environment, sutura_now(), given.door, given.interaction, given.action::"char", given.key_id, given.request_id, given.address,
      concerned.patient, given.resources, given.query
    from json_to_recordset($1::json) as given (organization_id uuid, environment text, door text, interaction text, action text, key_id text, request_id text,
        address text, patients uuid[], wound uuid, resources text[], query text)
    cross join lateral (
      select unnest(given.patients) as patient union (${OF_WOUND})
      union all select null where cardinality(given.patients) = 0 and not exists (${OF_WOUND})) concerned`;
/** Rows in one statement. */
const LARGEST_GROUP = 500;

interface Waiting {
  readonly entry: AuditEntry;
  readonly written: () => void;
  readonly failed: (fault: unknown) => void;
}

/**
 * Writes entries of concurrent requests together: those that come while a statement is on its way leave with the next one. Each caller
 * waits until its own row is committed, so nothing is answered that is not written down; they only share the wait for the disk.
 */
export class GroupedAuditWriter {
  private waiting: Waiting[] = [];
  private busy = false;

  constructor(private readonly statements: Statements) {}

  write(entry: AuditEntry): Promise<void> {
    return new Promise((written, failed) => {
      this.waiting.push({ entry, written, failed });
      if (!this.busy) void this.drain();
    });
  }

  private async drain(): Promise<void> {
    this.busy = true;
    while (this.waiting.length > 0) {
      const group = this.waiting.splice(0, LARGEST_GROUP);
      try {
        await this.insert(group);
        for (const { written } of group) written();
      } catch (fault) {
        if (group.length === 1) group[0]!.failed(fault);
        else await this.insertEach(group);
      }
    }
    this.busy = false;
  }

  /** One that cannot be written must not take the others with it. */
  private async insertEach(group: readonly Waiting[]): Promise<void> {
    for (const one of group) await this.insert([one]).then(one.written, one.failed);
  }

  private async insert(group: readonly Waiting[]): Promise<void> {
    await this.statements.run(INSERT, [JSON.stringify(group.map(({ entry }) => entry))]);
  }
}
