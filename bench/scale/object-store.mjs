// The S3 of the simulation: the peer of the test suite, which checks every signature and digest and keeps its objects in memory. A process
// of its own, so that its processor time is nobody else's.
import { resolve } from 'node:path';
import { build } from 'esbuild';

const PEER = resolve(import.meta.dirname, '../../test/peers/s3-peer.ts');

const { outputFiles } = await build({
  entryPoints: [PEER],
  bundle: true,
  platform: 'node',
  format: 'esm',
  write: false,
});
const { S3Peer } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
);
const { address } = JSON.parse(process.env.BENCH_SETTINGS);
const peer = await S3Peer.start('photos', address);

process.on('message', () => {
  const sizes = [...peer.objects.values()].map(({ bytes }) => bytes.length);
  process.send({ objects: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) });
});
process.on('disconnect', () => process.exit(0));
process.send({ kind: 'ready', environment: peer.environment });
