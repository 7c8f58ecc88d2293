import type { AuditArchives } from './audit-archive.js';
import type { AuditLog, AuditVerdict } from './audit-log.js';

/** Checks the whole trail: what is in the database, and what lies in archives. */
export class TrailCheck {
  constructor(
    private readonly log: AuditLog,
    private readonly archives: AuditArchives,
  ) {}

  async run(): Promise<AuditVerdict> {
    const archived = await this.archives.check();
    const { rows, seals, breaks } = await this.log.verify();
    return {
      rows: rows + archived.rows,
      seals: seals + archived.seals,
      breaks: [...archived.breaks, ...breaks],
    };
  }
}
