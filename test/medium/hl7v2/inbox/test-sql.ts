import pg from 'pg';

/** The database as its superuser sees it. */
export class TestSql {
  private constructor(private readonly client: pg.Client) {}

  static async open(url: string): Promise<TestSql> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    return new TestSql(client);
  }

  async rows<T = Record<string, unknown>>(sql: string, values: readonly unknown[] = []): Promise<T[]> {
    return (await this.client.query(sql, [...values])).rows as T[];
  }

  close(): Promise<void> {
    return this.client.end();
  }
}
