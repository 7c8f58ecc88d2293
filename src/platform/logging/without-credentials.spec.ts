import { withoutCredentials } from './without-credentials.js';

test('a warning of a library has no account and no password, and says the rest', () => {
  expect(withoutCredentials('postgres://sutura:p%40ss@db:5432/x failed: password=hunter2, retry')).toBe(
    'postgres://***@db:5432/x failed: password=***, retry',
  );
  expect(withoutCredentials('a'.repeat(2000))).toHaveLength(500);
});
