import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { SettingsError, type Settings } from '../config/settings.js';
import { EncryptionKeys } from '../encryption/encryption-keys.js';
import { KeyCommand } from '../encryption/key-command.js';
import { KeyFile } from '../encryption/key-file.js';
import { KEY_BYTES, type EncryptionKey } from '../encryption/key-ring.js';
import { readWrappedKey, wrapKey } from '../encryption/wrapped-key.js';
import type { Logger } from '../logging/logger.js';
import { databaseClient } from './database-address.js';
import type { Answer, SystemStatements } from './statements.js';

/** In the data folder, made at the first start with the embedded database. */
export const ENCRYPTION_KEY_FILE = 'encryption.keys';

const NAME = 'encryption';
const BINDING = 'installation';
const NEWEST = `select version, secret from service_secrets where name = '${NAME}' order by version desc limit 1`;
const INSERT = `insert into service_secrets (name, version, secret) values ('${NAME}', $1, $2) on conflict do nothing`;
const REMOVE_OLDER = `delete from service_secrets where name = '${NAME}' and version < $1`;

interface Row {
  readonly version: number;
  readonly secret: Buffer;
}

type Run = <R>(sql: string, values?: readonly unknown[]) => Promise<Pick<Answer<R>, 'rows'>>;

/** The keys by the settings: those that SUTURA_ENCRYPTION_KEY_COMMAND prints, or of SUTURA_ENCRYPTION_KEY_FILE, or of the file in the data folder where there is one. */
export function encryptionKeysOf({ encryption, process }: Pick<Settings, 'encryption' | 'process'>): EncryptionKeys {
  const { keyCommand, keyFile, mode } = encryption;
  const source =
    keyCommand === undefined
      ? new KeyFile(keyFile ?? join(process.dataDir, ENCRYPTION_KEY_FILE))
      : new KeyCommand(keyCommand);
  return new EncryptionKeys(source, mode);
}

/**
 * The key of this installation's messages: one for all, wrapped by the operator's current key and kept in the database,
 * so that a change of the operator's key rewrites one row. It also says which key the data was encrypted with.
 */
export class InstallationKey {
  private constructor(
    private readonly keys: EncryptionKeys,
    private readonly run: Run,
    /** 32 bytes; null: there is none, or the key that wrapped it is missing. */
    readonly messageKey: Buffer | null,
  ) {}

  static async read(keys: EncryptionKeys, statements: SystemStatements): Promise<InstallationKey> {
    const run: Run = (sql, values) => statements.run(sql, values);
    const isSetUp = (await keys.keys()).current !== null;
    return new InstallationKey(keys, run, isSetUp ? await unwrapNewest(keys, run).catch(nullWhereMissing) : null);
  }

  /** Whether new messages are encrypted by it. */
  get seals(): boolean {
    return this.messageKey !== null && this.keys.mode !== 'off';
  }

  /** Throws where the database was encrypted with a key that this process lacks. */
  async check(): Promise<void> {
    if (this.messageKey !== null) await unwrapNewest(this.keys, this.run);
  }

  /** The id of the key that wraps it; null: there is none. */
  async wrappedBy(): Promise<string | null> {
    const newest = await readNewest(this.run);
    return newest === null ? null : (readWrappedKey(newest.secret)?.keyId ?? null);
  }

  /** Wraps it by this key, where another one does. */
  async rewrap(by: EncryptionKey): Promise<void> {
    const newest = await readNewest(this.run);
    if (newest === null) return;
    const dataKey = await this.keys.unwrap(newest.secret, BINDING);
    if (readWrappedKey(newest.secret)?.keyId !== by.id)
      await this.run(INSERT, [newest.version + 1, wrapKey(by, dataKey, BINDING, newest.version + 1)]);
    const { version } = (await readNewest(this.run)) ?? newest;
    await this.run(REMOVE_OLDER, [version]);
  }
}

/**
 * Before a gateway uses the database: makes the key file of the embedded default, and the installation's key. Nothing
 * is encrypted before both are on the disk. SettingsError: the data was encrypted with a key that is not there.
 */
export async function prepareEncryption(settings: Settings, url: string, logger: Logger): Promise<void> {
  const keys = encryptionKeysOf(settings);
  const { mode, keyFile, keyCommand } = settings.encryption;
  await refuseExposed(keys, logger);
  const client = databaseClient(url);
  await client.connect();
  try {
    await client.query('set role sutura_system');
    const run: Run = async <R>(sql: string, values: readonly unknown[] = []) => ({
      rows: (await client.query(sql, [...values])).rows as R[],
    });
    const newest = await readNewest(run);
    if (newest === null && mode !== 'off') await setUp(keys, run, settings, logger);
    else if (newest !== null) await keys.unwrap(newest.secret, BINDING);
  } catch (fault) {
    if (!isSuturaError(fault, 'storage.key_missing', 'storage.altered')) throw fault;
    const named =
      keyCommand === undefined
        ? (keyFile ?? `${ENCRYPTION_KEY_FILE} in the data folder`)
        : 'what SUTURA_ENCRYPTION_KEY_COMMAND prints';
    throw new SettingsError(
      `The data of this installation is encrypted, and ${named} does not open it. ${fault.detail} Put the key back from your copy: docs/encryption.md`,
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Write access to the file allows to put another key first, and thus to read all that is encrypted from then on. */
async function refuseExposed({ file }: EncryptionKeys, logger: Logger): Promise<void> {
  const exposure = (await file?.exposure()) ?? 'none';
  const remedy = `chmod 600 ${file?.path ?? ''}`;
  if (exposure === 'writable')
    throw new SettingsError(
      `Every account of this machine may write the key file. Run ${remedy}, and change the key: docs/encryption.md`,
    );
  if (exposure === 'readable') logger.warn('encryption.key_exposed', { file: file?.path ?? null, remedy });
}

async function setUp(keys: EncryptionKeys, run: Run, settings: Settings, logger: Logger): Promise<void> {
  const { keyFile, mode } = settings.encryption;
  if ((await keys.keys()).current === null) {
    if (keyFile !== undefined) throw new SettingsError(`SUTURA_ENCRYPTION_KEY_FILE: there is no file ${keyFile}.`);
    const isEmbedded = settings.database.url === undefined && settings.storage.driver === 'local';
    if (!isEmbedded && mode === 'required')
      throw new SettingsError(
        'SUTURA_ENCRYPTION=required needs SUTURA_ENCRYPTION_KEY_FILE or SUTURA_ENCRYPTION_KEY_COMMAND.',
      );
    if (!isEmbedded) return;
    await keys.file?.make(new Date());
    logger.warn('encryption.key_made', {
      file: keys.file?.path ?? null,
      remedy: 'Keep a copy apart from the back-ups: without this file no back-up can be read.',
    });
  }
  const current = (await keys.reread()).current;
  if (current !== null) await run(INSERT, [1, wrapKey(current, randomBytes(KEY_BYTES), BINDING, 1)]);
  // Another process may have been quicker.
  await unwrapNewest(keys, run);
}

async function readNewest(run: Run): Promise<Row | null> {
  return (await run<Row>(NEWEST)).rows[0] ?? null;
}

async function unwrapNewest(keys: EncryptionKeys, run: Run): Promise<Buffer | null> {
  const newest = await readNewest(run);
  return newest === null ? null : keys.unwrap(newest.secret, BINDING);
}

function nullWhereMissing(fault: unknown): null {
  if (isSuturaError(fault, 'storage.key_missing', 'storage.altered')) return null;
  throw fault;
}
