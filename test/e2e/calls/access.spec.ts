import { ACCESS_ROWS, type AccessGround } from './access.rows.js';
import { callCommands, CommandGround } from './command-row.js';

let ground: AccessGround;

beforeAll(async () => {
  const made = { organizationId: '', keyId: '', key: '', clientId: '', clientKeys: [], userId: '' };
  ground = Object.assign(await CommandGround.open({ roles: 'api' }), { made });
});
afterAll(() => ground?.close());

callCommands(ACCESS_ROWS, () => ground);
