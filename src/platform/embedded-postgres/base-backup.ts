import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Where the files of a base backup go: `base.tar`, the whole cluster with the WAL that it needs, and `backup_manifest`. */
export interface BaseBackupTarget {
  /** Ends the file before. */
  begin(name: string): void;
  /** Returns once the bytes are written: the server is read no faster than that. The bytes are only valid meanwhile. */
  write(bytes: Uint8Array): void;
}

/**
 * A base backup of a running server by its replication protocol (PostgreSQL 18, 54.4), which needs no program of
 * PostgreSQL on this side. It is the state of one moment between call and return; the server checks every page on the
 * way. Throws the server's own error, or what the target throws.
 */
export async function takeBaseBackup(url: string, target: BaseBackupTarget): Promise<void> {
  const client = new pg.Client({ connectionString: url, replication: 'true' } as pg.ClientConfig);
  client.on('error', () => undefined);
  await client.connect();
  try {
    // Ends with the session, and keeps the WAL since the start of the backup until then.
    const slot = `sutura_backup_${randomBytes(6).toString('hex')}`;
    await client.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL (RESERVE_WAL)`);
    await client.query(new BaseBackupQuery(target)).ended;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const COMMAND = `BASE_BACKUP (LABEL 'sutura', CHECKPOINT 'fast', WAL true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')`;

/** First byte of a message: a new file follows; the manifest follows; bytes of either. Others tell of progress. */
const [NEW_ARCHIVE, MANIFEST, BYTES] = [...Buffer.from('nmd')];

/** The part of node-postgres's connection that is used here. */
type BackupConnection = pg.Connection & { readonly stream: { destroy(): void } };

/** As node-postgres runs a query: it calls a method for each message of the server. */
class BaseBackupQuery {
  readonly ended: Promise<void>;
  private resolve: () => void = () => undefined;
  private reject: (fault: unknown) => void = () => undefined;
  private connection: BackupConnection | null = null;
  private fault: unknown = null;

  constructor(private readonly target: BaseBackupTarget) {
    this.ended = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  submit(connection: pg.Connection): void {
    this.connection = connection as BackupConnection;
    connection.query(COMMAND);
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (this.fault !== null) return;
    try {
      this.take(chunk);
    } catch (fault) {
      // A throw would be uncaught in the socket's handler and end the process.
      this.fault = fault;
      this.connection?.stream.destroy();
    }
  }

  handleReadyForQuery(): void {
    this.resolve();
  }

  handleError(error: unknown): void {
    this.reject(this.fault ?? error);
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}

  private take(message: Buffer): void {
    const body = message.subarray(1);
    if (message[0] === BYTES) this.target.write(body);
    else if (message[0] === NEW_ARCHIVE) this.target.begin(body.toString('utf8', 0, body.indexOf(0)));
    else if (message[0] === MANIFEST) this.target.begin('backup_manifest');
  }
}
