/** @jest-environment node */
import { translateDatabaseFault } from '../../platform/database/database-fault.js';
import type { SecretEncryption } from '../../platform/database/secret-encryption.js';
import type { SystemStatements } from '../../platform/database/statements.js';
import { SqlProviderSessions, SqlSessionRepository } from './sql-session.repository.js';

const SHA256 = new Uint8Array(32);
const SESSION = { id: 'u1', expiresAt: new Date('2026-03-15T12:00:00Z'), isLookDue: false };

/** A repository whose first statement fails so, and what it asks. */
function failingFirst(code: string) {
  const asked: string[] = [];
  const run = (sql: string) => {
    asked.push(sql);
    return asked.length === 1
      ? Promise.reject(translateDatabaseFault(Object.assign(new Error('no'), { code })) as Error)
      : Promise.resolve({ rows: [SESSION], affected: 1 });
  };
  const statements = { run } as unknown as SystemStatements;
  const encryption = {} as SecretEncryption;
  const provided = new SqlProviderSessions(statements, encryption);
  return { asked, sessions: new SqlSessionRepository(statements, encryption), provided };
}

describe('who is logged in', () => {
  it.each(['ECONNREFUSED', '57P03', '53300'])(
    'is not asked for twice of a database that is away (%s)',
    async (code) => {
      const { asked, sessions } = failingFirst(code);
      await expect(sessions.find(SHA256, 60)).rejects.toMatchObject({ code: 'service.unavailable' });
      expect(asked).toHaveLength(1);
    },
  );

  it('is read without noting the use where nothing can be written', async () => {
    const { asked, sessions } = failingFirst('25006');
    expect(await sessions.find(SHA256, 60)).toMatchObject({ user: { id: 'u1' }, expiresAt: SESSION.expiresAt });
    expect(asked[1]).not.toContain('update');
  });

  it('goes on by what the identity provider said last where nothing can be written, and is asked about once it can', async () => {
    const { asked, provided } = failingFirst('25006');
    expect(await provided.claimLook(SHA256)).toBeNull();
    expect(asked).toHaveLength(1);
    await expect(failingFirst('57P03').provided.claimLook(SHA256)).rejects.toMatchObject({
      code: 'service.unavailable',
    });
  });
});
