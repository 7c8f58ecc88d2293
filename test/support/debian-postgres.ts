import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where Debian's packages put PostgreSQL's programs. */
const DEBIAN = '/usr/lib/postgresql';

/** The programs of the newest PostgreSQL of Debian's; undefined where there is none, which the output says with `without`. */
export function findDebianPostgres(without: string): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((one, other) => Number(other) - Number(one)) : [];
  const binaries = versions
    .map((version) => join(DEBIAN, version, 'bin'))
    .find((folder) => ['initdb', 'pg_dump', 'pg_restore'].every((name) => existsSync(join(folder, name))));
  if (binaries === undefined) process.stdout.write(`No PostgreSQL of Debian's: ${without}\n`);
  return binaries;
}
