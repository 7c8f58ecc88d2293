export interface PostgresServer {
  /** As the superuser. */
  readonly url: string;
  stop(): Promise<void>;
  /** Every connection is cut and nothing is flushed; the next start recovers. */
  crash(): Promise<void>;
  /** On the same port; with `standby` it only reads from then on. */
  startAgain(wish?: { readonly standby?: boolean }): Promise<void>;
}

export interface PostgresWish {
  readonly onDisk?: boolean;
  /** Folder of the programs of another PostgreSQL than that of the npm package. */
  readonly binaries?: string;
  /** Texts of files that the settings name as `../NAME`. */
  readonly files?: Readonly<Record<string, string>>;
  /** `name=value`. */
  readonly settings?: readonly string[];
}

export function startPostgresServer(address?: string, wish?: PostgresWish): Promise<PostgresServer>;
