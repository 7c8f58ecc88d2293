import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AuditLog } from '../core/audit/audit-log.js';
import { TrailCheck } from '../core/audit/trail-check.js';
import { OperatorTrail } from '../core/audit/operator-trail.js';
import type { BackupManifest } from '../backup/backup-manifest.js';
import { BackupRefusal } from '../backup/backup-refusal.js';
import { restoreBackup, type RestoreTarget } from '../backup/restore-backup.js';
import { compareObjects, type ObjectComparison } from '../backup/stored-objects.js';
import { takeBackup } from '../backup/take-backup.js';
import { EhrPushRestoreModule, WriteLedger } from '../exits/ehr/index.js';
import type { CliCommand, CliReport } from '../platform/cli/cli-command.js';
import { optional, required } from '../platform/cli/command-options.js';
import { factReport } from '../platform/cli/command-report.js';
import type { Settings } from '../platform/config/settings.js';
import { AUDIT_ANCHOR_FILES } from '../records/audit/file-audit-anchor.js';
import { ENCRYPTION_KEY_FILE, InstallationKey, encryptionKeysOf } from '../platform/database/installation-key.js';
import { EncryptionKeys } from '../platform/encryption/encryption-keys.js';
import { KeyFile } from '../platform/encryption/key-file.js';
import { CREDENTIALS_FILE } from '../platform/embedded-postgres/cluster-files.js';
import { readPostgresVersion } from '../platform/embedded-postgres/postgres-binaries.js';
import { BlobFolder } from '../storage/drivers/blob-folder.js';
import { ObjectEncryption } from '../storage/encryption/object-encryption.js';
import { AuditArchivesModule } from './audit-archives.module.js';
import type { CommandSession } from './command-session.js';
import { describeFaults, hasFaults } from './object.commands.js';
import { DEMO_KEY_FILE } from './first-start.js';

const PLATFORM = `${process.platform}-${process.arch}`;
const DATA_FILES = [CREDENTIALS_FILE, ...AUDIT_ANCHOR_FILES, DEMO_KEY_FILE];

const backup: CliCommand<CommandSession> = {
  usage: 'backup --out DIR',
  summary:
    'Copy the embedded database and its photos to a new folder, while the gateway runs. Everything acknowledged before the command began is in it.',
  prepare(values) {
    const out = resolve(required(values, 'out'));
    return async (session) => {
      const { settings } = session;
      refuseOwnServers(settings);
      const app = await session.start([]);
      const keys = app.get(EncryptionKeys, { strict: false });
      const { current } = await keys.keys();
      // Before the copy, which therefore has it.
      await record(app.get(OperatorTrail, { strict: false }), session, '$backup', `to ${out}`);
      const manifest = await takeBackup(
        {
          dataDir: settings.process.dataDir,
          dataFiles: DATA_FILES,
          databaseUrl: session.databaseUrl,
          objects: objectsOf(settings.process.dataDir, keys),
          messageKeyId: await app.get(InstallationKey, { strict: false }).wrappedBy(),
          keyFile: current === null ? null : (keys.file?.path ?? null),
          release: readRelease(),
          platform: PLATFORM,
          settingNames: session.settingNames,
        },
        out,
      );
      return describeBackup(out, manifest);
    };
  },
};

const restore: CliCommand<CommandSession> = {
  usage: 'restore --from DIR [--encryption-keys FILE]',
  summary:
    'Put a back-up into the empty data folder and check it: every file, every photo that the database names, and the audit chain. No gateway may run. --encryption-keys: your copy of the key file, which becomes that of the data folder.',
  prepare(values) {
    const from = resolve(required(values, 'from'));
    const copyOfKeys = optional(values, 'encryption-keys');
    return async (session) => {
      const { settings } = session;
      refuseOwnServers(settings);
      const target = {
        dataDir: settings.process.dataDir,
        platform: PLATFORM,
        postgres: await readPostgresVersion(),
        ...(await keysFor(settings, copyOfKeys)),
      };
      const { manifest, checked } = await restoreBackup(from, target, (draft, { takenAt }) =>
        checkRestored(session.inFolder(draft), takenAt),
      );
      return describeRestore(settings.process.dataDir, manifest, checked);
    };
  },
};

/** Copies of everything that this machine keeps for itself; other servers have ways of their own. */
export const BACKUP_COMMANDS: readonly CliCommand<CommandSession>[] = [backup, restore];

function refuseOwnServers({ database, storage }: Settings): void {
  if (database.url !== undefined)
    throw new BackupRefusal(
      'DATABASE_URL names a PostgreSQL server of your own, which is backed up and restored by its own means, such as pgBackRest: see docs/coming-back.md. This command is for the embedded database.',
    );
  if (storage.driver !== 'local')
    throw new BackupRefusal(
      'Photos lie in an S3 store, which keeps earlier versions by itself: see docs/coming-back.md. This command is for the embedded database with local storage.',
    );
}

function objectsOf(dataDir: string, keys: EncryptionKeys): BlobFolder {
  return new BlobFolder(join(dataDir, 'objects'), new ObjectEncryption(keys));
}

/** The keys of a restore: those of the settings, or a copy that is put into the data folder. */
async function keysFor(
  settings: Settings,
  copy: string | undefined,
): Promise<Pick<RestoreTarget, 'keyIds' | 'keyFile'>> {
  const { encryption } = settings;
  if (encryption.keyCommand !== undefined) {
    const { keys } = await encryptionKeysOf(settings).keys();
    return { keyIds: keys.map(({ id }) => id), keyFile: null };
  }
  const from = encryption.keyFile ?? (copy === undefined ? undefined : resolve(copy));
  if (from === undefined) return { keyIds: [], keyFile: null };
  const ring = await new KeyFile(from).read();
  if (ring === null) throw new BackupRefusal(`There is no key file ${from}. Nothing was changed.`);
  const isElsewhere = encryption.keyFile !== undefined;
  return {
    keyIds: ring.keys.map(({ id }) => id),
    keyFile: isElsewhere ? null : { from, name: ENCRYPTION_KEY_FILE },
  };
}

function record(trail: OperatorTrail, { operator }: CommandSession, interaction: string, query: string): Promise<void> {
  return trail.record(operator, { interaction, action: 'E', resources: [], query });
}

interface RestoredState extends ObjectComparison {
  /** Migrations applied. */
  readonly migrated: number;
  /** Breaks of the audit chain. */
  readonly breaks: number;
}

/** Starts the restored database where it was built, brings it to this release and looks whether everything is there. */
async function checkRestored(session: CommandSession, takenAt: string): Promise<RestoredState> {
  try {
    const migrated = await session.migrate();
    const app = await session.start([AuditArchivesModule, EhrPushRestoreModule]);
    const audit = app.get(AuditLog, { strict: false });
    await record(app.get(OperatorTrail, { strict: false }), session, '$restore', `of ${takenAt}`);
    await app.get(WriteLedger, { strict: false }).cameBack();
    await audit.seal();
    const { breaks } = await app.get(TrailCheck, { strict: false }).run();
    const blobs = objectsOf(session.settings.process.dataDir, app.get(EncryptionKeys, { strict: false }));
    const objects = await compareObjects(session.databaseUrl, { get: (objectKey) => blobs.read(objectKey) });
    return { migrated, breaks: breaks.length, ...objects };
  } finally {
    await session.close();
  }
}

function describeBackup(out: string, manifest: BackupManifest): CliReport {
  const { takenAt, files, bytes, objects, apart, encryptionKeys } = manifest;
  const report = factReport(manifest, {
    'back-up': out,
    'holds all before': takenAt,
    files: String(files),
    MiB: String(Math.ceil(bytes / 2 ** 20)),
    photos: `${objects.copied} objects`,
    ...describeFaults(objects),
    ...(encryptionKeys.length === 0 ? {} : { 'readable only with the key': encryptionKeys.join(', ') }),
    'keep apart': ['your settings, above all HL7_ENCRYPTION_KEY if it is set', ...apart.files].join(', '),
  });
  return { ...report, failed: hasFaults(objects) };
}

function describeRestore(dataDir: string, manifest: BackupManifest, state: RestoredState): CliReport {
  const report = factReport(
    { takenAt: manifest.takenAt, release: manifest.release, ...state },
    {
      'restored to': dataDir,
      'holds all before': manifest.takenAt,
      'made by release': manifest.release,
      'migrations applied': String(state.migrated),
      'breaks of the audit chain': String(state.breaks),
      objects: String(state.named),
      ...describeFaults(state),
    },
  );
  return { ...report, failed: hasFaults(state) || state.breaks > 0 };
}

/** Of package.json beside the program, which runs from src/ and from dist/src/. */
function readRelease(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  }
  throw new Error('The file package.json is missing beside this program.');
}
