import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import { UserRepository } from '../../../src/core/users/user.repository.js';
import { readSettings } from '../../../src/platform/config/settings.js';
import { prepareEncryption } from '../../../src/platform/database/installation-key.js';
import { Logger } from '../../../src/platform/logging/logger.js';
import { IdSource } from '../../../src/core/ports/id-source.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

describe('the secret of a user’s one-time codes', () => {
  let folder: string;
  let database: TestDatabase;
  let context: DatabaseContext;
  let users: UserRepository;
  beforeAll(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'sutura-codes-'));
    const file = join(folder, 'keys');
    await writeFile(file, `first ${randomBytes(32).toString('base64')}\n`);
    const env = { SUTURA_DATA_DIR: folder, SUTURA_ENCRYPTION_KEY_FILE: file };
    await prepareEncryption(readSettings(env), database.url, Logger.create('silent'));
    context = await DatabaseContext.open(database.url, env);
    users = context.get(UserRepository);
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  async function newUser(name: string): Promise<string> {
    const user = {
      id: context.get(IdSource).next(),
      name,
      displayName: name,
      isInstallationAdmin: false,
      roles: [],
      createdAt: new Date(),
      disabledAt: null,
      lastLoginAt: null,
      hasPassword: false,
      hasCodes: false,
      hasProvider: false,
      setupBy: null,
    };
    const setup = { sha256: randomBytes(32), expiresAt: new Date(Date.now() + 60_000) };
    await context.get(UnitOfWork).inSystem((transaction) => users.insert(transaction, user, { setup }));
    return user.id;
  }
  const keptOf = async (id: string) =>
    (
      await queryDatabase<{ kept: string }>(database.url, 'select code_secret as kept from users where id = $1', [id])
    )[0]!.kept;

  it('is encrypted from its offer on, opens for its own user alone, and is not in force by another’s', async () => {
    const id = await newUser('anna');
    await users.offerCodes(id, SECRET);
    expect(await users.useCodeStep(id, 1, 'ANOTHERSECRET234')).toBe(false);
    expect(await users.findOfferedCodes(id)).toBe(SECRET);
    expect(await users.useCodeStep(id, 2, SECRET)).toBe(true);
    expect(await users.useCodeStep(id, 2, null)).toBe(false);
    expect(await keptOf(id)).not.toContain(SECRET);
    expect((await users.findForLogin('anna'))?.codeSecret).toBe(SECRET);
    await newUser('eve');
    await queryDatabase(
      database.url,
      `update users set code_secret = (select code_secret from users where name = 'anna') where name = 'eve'`,
    );
    await expect(users.findForLogin('eve')).rejects.toMatchObject({ code: 'storage.altered' });
  });

  it('from before there was a key is encrypted at the next login, which it lets in', async () => {
    const id = await newUser('ben');
    await queryDatabase(database.url, 'update users set code_secret = $2 where id = $1', [id, SECRET]);
    expect((await users.findForLogin('ben'))?.codeSecret).toBe(SECRET);
    expect(await keptOf(id)).toMatch(/^v1\./);
    expect((await users.findForLogin('ben'))?.codeSecret).toBe(SECRET);
  });
});
