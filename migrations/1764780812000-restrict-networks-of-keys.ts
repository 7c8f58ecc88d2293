import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The networks from which a key or a client may be used, as CIDR; none: from anywhere. */
export class RestrictNetworksOfKeys1764780812000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['api_keys', 'oauth_clients'])
      await runner.query(`alter table ${table} add column allowed_networks text[] not null default '{}'`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
