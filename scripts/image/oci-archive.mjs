import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { tarOf } from './tar.mjs';

const TYPES = {
  config: 'application/vnd.oci.image.config.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  index: 'application/vnd.oci.image.index.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
};
const GZIP_LEVEL = 6;

/**
 * Writes an image of these layers as one file: an OCI image layout (image-spec 1.1) in a tar archive, which podman,
 * buildah, skopeo and containerd read, with the list that `docker load` looks for.
 * @param {{ name: string, createdS: number, architecture: string, config: object, layers: readonly { title: string, tree: import('./file-tree.mjs').FileTree }[] }} image
 * @returns {Promise<{ imageId: string, digest: string, sizeBytes: number }>} the digests of config and manifest
 */
export async function writeArchive(file, { name, createdS, architecture, config, layers }) {
  const drafts = await mkdtemp(join(dirname(file), '.image-'));
  try {
    const written = [];
    for (const { tree } of layers) written.push(await writeLayer(join(drafts, String(written.length)), tree, createdS));
    const created = new Date(createdS * 1000).toISOString();
    const configBlob = blobOf(TYPES.config, {
      created,
      architecture,
      os: 'linux',
      config,
      rootfs: { type: 'layers', diff_ids: written.map(({ diffId }) => diffId) },
      history: layers.map(({ title }) => ({ created, created_by: title })),
    });
    const manifest = blobOf(TYPES.manifest, {
      schemaVersion: 2,
      mediaType: TYPES.manifest,
      config: configBlob.descriptor,
      layers: written.map(({ descriptor }) => descriptor),
    });
    const entries = layoutOf(name, manifest, configBlob, written);
    const draft = join(drafts, 'archive');
    await pipeline(Readable.from(tarOf(entries, createdS)), createWriteStream(draft));
    await rename(draft, file);
    const { size: sizeBytes } = await stat(file);
    return { imageId: configBlob.descriptor.digest, digest: manifest.descriptor.digest, sizeBytes };
  } finally {
    await rm(drafts, { recursive: true, force: true });
  }
}

/** The digest of the tar archive is the layer's identity; that of its compressed bytes is its name. */
async function writeLayer(draft, tree, createdS) {
  const plain = hashing();
  const packed = hashing();
  const output = createWriteStream(draft);
  await pipeline(
    Readable.from(tarOf(tree.list(), createdS)),
    plain.stream,
    createGzip({ level: GZIP_LEVEL }),
    packed.stream,
    output,
  );
  const digest = packed.digest();
  const descriptor = { mediaType: TYPES.layer, digest, size: packed.bytes() };
  return {
    diffId: plain.digest(),
    descriptor,
    entry: { ...blobPlace(digest), sizeBytes: descriptor.size, source: draft },
  };
}

function hashing() {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk, _, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, bytes: () => bytes, digest: () => `sha256:${hash.digest('hex')}` };
}

function blobOf(mediaType, content) {
  const bytes = Buffer.from(JSON.stringify(content));
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  return { descriptor: { mediaType, digest, size: bytes.length }, entry: { ...blobPlace(digest), bytes } };
}

function blobPlace(digest) {
  return { path: pathOf(digest), kind: 'file', mode: 0o644 };
}

function pathOf(digest) {
  return `blobs/${digest.replace(':', '/')}`;
}

function layoutOf(name, manifest, config, layers) {
  const annotations = { 'io.containerd.image.name': name, 'org.opencontainers.image.ref.name': name.split(':').at(-1) };
  const index = {
    schemaVersion: 2,
    mediaType: TYPES.index,
    manifests: [{ ...manifest.descriptor, annotations }],
  };
  const docker = [
    {
      Config: pathOf(config.descriptor.digest),
      RepoTags: [name],
      Layers: layers.map(({ descriptor }) => pathOf(descriptor.digest)),
    },
  ];
  const json = (path, content) => ({ path, kind: 'file', mode: 0o644, bytes: Buffer.from(JSON.stringify(content)) });
  // Two layers of the same bytes are one blob.
  const blobs = new Map(
    [manifest.entry, config.entry, ...layers.map(({ entry }) => entry)].map((blob) => [blob.path, blob]),
  );
  return [
    json('oci-layout', { imageLayoutVersion: '1.0.0' }),
    json('index.json', index),
    json('manifest.json', docker),
    ...[...blobs.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
  ];
}
