import { S3Peer } from '../../peers/s3-peer.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import { callCommands, CommandGround } from './command-row.js';
import { REWIND_ROWS, type RewindGround } from './rewind.rows.js';

let store: S3Peer;
let ground: RewindGround;

beforeAll(async () => {
  store = await S3Peer.start();
  // The AWS SDK warns on old releases of Node.js.
  const opened = await CommandGround.open({ env: { ...store.environment, NODE_NO_WARNINGS: '1' } });
  const client = await opened.gateway.createClient();
  const { imageId } = (await client.analyse(await drawWoundPhoto())) as { imageId: string };
  const lost = [...store.objects.keys()].find((key) => key.includes(imageId) && key.endsWith('original'))!;
  store.lose(lost);
  ground = Object.assign(opened, { store, lost });
});
afterAll(async () => {
  await ground?.close();
  await store?.stop();
});

callCommands(REWIND_ROWS, () => ground);
