export interface PostgresServer {
  /** As the superuser. */
  readonly url: string;
  stop(): Promise<void>;
  /** Every connection is cut and nothing is flushed; the next start recovers. */
  crash(): Promise<void>;
  startAgain(): Promise<void>;
}

export function startPostgresServer(): Promise<PostgresServer>;
