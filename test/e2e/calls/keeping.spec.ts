import { drawWoundPhoto } from '../../support/wound-photo.js';
import { callCommands, CommandGround } from './command-row.js';
import { KEEPING_ROWS, type KeepingGround } from './keeping.rows.js';

let ground: KeepingGround;

beforeAll(async () => {
  const opened = await CommandGround.open({ databaseUrl: null });
  const client = await opened.gateway.createClient();
  const { imageId } = (await client.analyse(await drawWoundPhoto())) as { imageId: string };
  ground = Object.assign(opened, { client, imageId, made: { firstKey: '' } });
});
afterAll(() => ground?.close());

callCommands(KEEPING_ROWS, () => ground);
