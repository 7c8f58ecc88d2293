import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AuditArchiveRegistry, AuditArchives, type AuditArchive } from '../../../core/audit/audit-archive.js';
import { ENVIRONMENTS, type Environment } from '../../../core/tenancy/tenant.js';
import { CliMisuse, type CliReport, type CliValues } from '../../../platform/cli/cli-command.js';
import { optional, required } from '../../../platform/cli/command-options.js';
import { adminGroup } from '../action/admin-group.js';
import { tableReport } from '../../../platform/cli/command-report.js';

const { command, group } = adminGroup({ registry: AuditArchiveRegistry, archives: AuditArchives });

const archivesOf = command({
  usage: 'audit archives --org ID [--env test|live] [--out DIR]',
  summary:
    'Which rows of the trail lie in archives, by "retention set --audit-days". --out: write their files there, for "audit verify --export".',
  prepare(values) {
    const filter = { organizationId: required(values, 'org'), environment: environmentOf(values) };
    const out = optional(values, 'out');
    return async ({ operator, registry, archives, trail }) => {
      const kept = await registry.list(filter);
      const query = out === undefined ? 'archives' : 'archives&out=files';
      const act = { interaction: '$export-audit', action: 'R' as const, of: filter, resources: [] };
      await trail.record(operator, { ...act, query });
      const files: string[] = [];
      if (out !== undefined) {
        mkdirSync(out, { recursive: true, mode: 0o700 });
        for (const archive of kept) {
          const file = join(out, `${archive.environment}-${archive.first}-${archive.last}.ndjson`);
          writeFileSync(file, await archives.read(archive), { flag: 'wx', mode: 0o600 });
          files.push(file);
        }
      }
      return describeArchives(kept, files);
    };
  },
});

/** Old rows of the trail, as files. */
export const AUDIT_ARCHIVE_COMMANDS = group('AuditArchivesController', [archivesOf]).commands;

export function environmentOf(values: CliValues): Environment | undefined {
  const environment = optional(values, 'env') as Environment | undefined;
  if (environment !== undefined && !(ENVIRONMENTS as readonly string[]).includes(environment))
    throw new CliMisuse('--env must be test or live.');
  return environment;
}

function describeArchives(kept: readonly AuditArchive[], files: readonly string[]): CliReport {
  const table = tableReport(kept, {
    ENVIRONMENT: ({ environment }) => environment,
    FROM: ({ oldestAt }) => oldestAt.toISOString(),
    TO: ({ newestAt }) => newestAt.toISOString(),
    SEALS: ({ first, last }) => `${first}-${last}`,
    ROWS: ({ rows }) => String(rows),
    BYTES: ({ bytes }) => String(bytes),
    STATE: ({ state }) => (state === 'kept' ? 'rows still in the database' : 'archived'),
    ARCHIVE: ({ id }) => id,
  });
  return files.length === 0 ? table : { ...table, text: `${table.text}\n\nWritten: ${files.join(',')}` };
}
