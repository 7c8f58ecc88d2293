import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import { parseDatabaseUrl, type DatabaseUrl, type SslFile } from '../config/database-url.js';
import { SettingsError } from '../config/settings.js';

/** A host of DATABASE_URL, for the log. */
export interface DatabaseHost {
  readonly host: string;
  readonly port: number;
}

const DEFAULT_PORT = 5432;
/** Of Node.js' own authorities (libpq 34.19.1). */
const SYSTEM_AUTHORITIES = 'system';
const NO_TLS_THERE = 'does not support SSL connections';
/** SQLSTATE read_only_sql_transaction: what a write at a standby is answered with. */
const READ_ONLY = '25006';
/** SQLSTATE sqlserver_rejected_establishment_of_sqlconnection: the next attempt goes without TLS. */
const WITHOUT_TLS_NEXT = '08004';

/**
 * The servers that an address names, shared by all connections of the process: the one that connections go to, until
 * it does not answer or turns out to be a standby; then the next.
 */
class DatabaseAddress {
  private place = 0;
  private readonly plain = new Set<number>();
  private readonly tls: ConnectionOptions | null;

  constructor(private readonly parsed: DatabaseUrl) {
    this.tls = tlsOf(parsed);
  }

  get hasSeveral(): boolean {
    return this.parsed.urls.length > 1;
  }

  get current(): number {
    return this.place;
  }

  get url(): string {
    return this.parsed.urls[this.place]!;
  }

  options(): { readonly connectionString: string; readonly ssl?: ConnectionOptions } {
    const isPlain = this.tls === null || this.plain.has(this.place);
    return { connectionString: this.url, ...(isPlain ? {} : { ssl: { ...this.tls } }) };
  }

  /** Throws the fault, or one that says that another attempt is worth it. */
  failed(place: number, fault: unknown): never {
    const hasNoTls = fault instanceof Error && fault.message.includes(NO_TLS_THERE);
    if (hasNoTls && this.parsed.sslMode === 'prefer') {
      this.plain.add(place);
      throw Object.assign(new Error('The next attempt goes without TLS.'), { code: WITHOUT_TLS_NEXT });
    }
    this.goOn(place);
    throw fault;
  }

  /** Several connections may have found out; the first moves all of them. */
  goOn(from: number): void {
    if (this.place === from) this.place = (from + 1) % this.parsed.urls.length;
  }
}

/** By address, which is the same for the life of a process. */
const addresses = new Map<string, DatabaseAddress>();

function addressOf(url: string): DatabaseAddress {
  const known = addresses.get(url) ?? new DatabaseAddress(parseDatabaseUrl(url));
  addresses.set(url, known);
  return known;
}

/** Where the next connection goes. */
export function currentHost(url: string): DatabaseHost {
  const { host, port } = new pg.Client(addressOf(url).options());
  return { host, port: Number(port) || DEFAULT_PORT };
}

/** The address that the next connection goes to; contains the credentials. */
export function currentUrl(url: string): string {
  return addressOf(url).url;
}

/** The class of connections to this address, for a pool or one by itself. Of several hosts it wants the primary server. */
export function clientClass(url: string): typeof pg.Client {
  const address = addressOf(url);
  return class AddressedClient extends pg.Client {
    private readonly place = address.current;
    private isStandby = false;

    constructor(options: pg.ClientConfig = {}) {
      super({ ...options, ...address.options() });
      // Without a listener a connection that is lost between two statements would end the process (node-postgres #1324).
      this.on('error', () => undefined);
      const { connection } = this as this & { readonly connection: NodeJS.EventEmitter };
      connection.on('parameterStatus', (status: { parameterName: string; parameterValue: string }) => {
        if (status.parameterName === 'in_hot_standby') this.isStandby = status.parameterValue === 'on';
      });
    }

    override connect(): Promise<this>;
    override connect(callback: (fault: Error) => void): void;
    override connect(callback?: (fault: Error) => void): Promise<this> | void {
      const opened = this.open();
      if (callback === undefined) return opened;
      opened.then(
        () => (callback as (fault: Error | null) => void)(null),
        (fault: unknown) => callback(fault as Error),
      );
    }

    private async open(): Promise<this> {
      await super.connect().catch((fault: unknown) => address.failed(this.place, fault));
      if (!this.isStandby || !address.hasSeveral) return this;
      address.goOn(this.place);
      await this.end().catch(() => undefined);
      throw Object.assign(new Error('The server is a standby.'), { code: READ_ONLY });
    }
  };
}

/** A connection of one's own. */
export function databaseClient(url: string, options: pg.ClientConfig = {}): pg.Client {
  return new (clientClass(url))(options);
}

/** As libpq means each mode (PostgreSQL 34.19); null: no TLS. SettingsError if a file cannot be read. */
function tlsOf({ sslMode, files }: DatabaseUrl): ConnectionOptions | null {
  if (sslMode === 'disable') return null;
  const { sslrootcert, sslcert, sslkey } = files;
  const own: ConnectionOptions = {
    ...(sslcert === undefined ? {} : { cert: read('sslcert', sslcert) }),
    ...(sslkey === undefined ? {} : { key: read('sslkey', sslkey) }),
  };
  const isVerified = sslMode.startsWith('verify') || (sslMode === 'require' && sslrootcert !== undefined);
  if (!isVerified) return { ...own, rejectUnauthorized: false };
  const isOfSystem = sslrootcert === undefined || sslrootcert === SYSTEM_AUTHORITIES;
  const authority = isOfSystem ? {} : { ca: read('sslrootcert', sslrootcert) };
  const anyName = sslMode === 'verify-full' || isOfSystem ? {} : { checkServerIdentity: () => undefined };
  return { ...own, ...authority, ...anyName };
}

function read(name: SslFile, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (fault) {
    const { code } = fault as { readonly code?: string };
    throw new SettingsError(`DATABASE_URL: ${name} names a file that cannot be read: ${file} (${code ?? 'unknown'}).`);
  }
}
