import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SystemStatements } from './statements.js';

interface ServiceSecret {
  readonly version: number;
  /** 32 random bytes. */
  readonly secret: Buffer;
}

const SECRET_BYTES = 32;
/** Longest time that an instance uses an older version after a newer one was added. */
const CURRENT_LIFE_MS = 60_000;

/** Secrets that all instances share, kept in the database and made at their first use. */
@Injectable()
export class ServiceSecrets {
  private readonly known = new Map<string, ServiceSecret>();
  private readonly latest = new Map<string, { readonly secret: ServiceSecret; readonly until: number }>();

  constructor(private readonly statements: SystemStatements) {}

  /** The newest version, to sign with. */
  async current(name: string): Promise<ServiceSecret> {
    const cached = this.latest.get(name);
    if (cached !== undefined && performance.now() < cached.until) return cached.secret;
    const secret = (await this.newest(name)) ?? (await this.makeFirst(name));
    this.latest.set(name, { secret, until: performance.now() + CURRENT_LIFE_MS });
    return secret;
  }

  /** One version, to verify with; null if there is none. */
  async find(name: string, version: number): Promise<ServiceSecret | null> {
    if (!Number.isInteger(version) || version < 1 || version > 0x7fffffff) return null;
    const cacheKey = `${name} ${version}`;
    const cached = this.known.get(cacheKey);
    if (cached !== undefined) return cached;
    const { rows } = await this.statements.run<ServiceSecret>(
      'select version, secret from service_secrets where name = $1 and version = $2',
      [name, version],
    );
    const secret = rows[0] ?? null;
    // Only existing versions are cached, so that forged ones cannot fill the memory.
    if (secret !== null) this.known.set(cacheKey, secret);
    return secret;
  }

  private async newest(name: string): Promise<ServiceSecret | null> {
    const { rows } = await this.statements.run<ServiceSecret>(
      'select version, secret from service_secrets where name = $1 order by version desc limit 1',
      [name],
    );
    return rows[0] ?? null;
  }

  private async makeFirst(name: string): Promise<ServiceSecret> {
    const insert = 'insert into service_secrets (name, version, secret) values ($1, 1, $2) on conflict do nothing';
    await this.statements.run(insert, [name, randomBytes(SECRET_BYTES)]);
    const secret = await this.newest(name);
    if (secret === null) throw new Error('A service secret vanished.');
    return secret;
  }
}
