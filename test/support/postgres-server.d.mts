export interface PostgresServer {
  /** As the superuser. */
  readonly url: string;
  stop(): Promise<void>;
  /** Every connection is cut and nothing is flushed; the next start recovers. */
  crash(): Promise<void>;
  /** On the same port; with `standby` it only reads from then on. */
  startAgain(wish?: { readonly standby?: boolean }): Promise<void>;
}

export function startPostgresServer(address?: string, where?: { readonly onDisk?: boolean }): Promise<PostgresServer>;
