import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { refusalOf } from './sigv4.js';
import { freePort } from '../support/free-port.js';

interface StoredObject {
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
  /** The server-side encryption that was asked for, and its key. */
  readonly encryption?: string;
}

/** What a bucket keeps of a key at one moment; null: it was deleted. */
interface StoredVersion {
  readonly id: string;
  readonly key: string;
  readonly writtenAt: Date;
  readonly object: StoredObject | null;
}

export const PEER_KEY = { accessKeyId: 'PEERKEY', secretAccessKey: 'peer-secret' } as const;
/** Small, so that listings have several pages. */
const PAGE_SIZE = 2;

/** A small S3: one bucket in memory that keeps every version, path-style, which checks every signature and the digest of every upload. */
export class S3Peer {
  readonly objects = new Map<string, StoredObject>();
  readonly refusals: string[] = [];
  private readonly versions: StoredVersion[] = [];
  /** Answered instead of doing anything, while set. */
  fault: { readonly status: number; readonly code: string } | null = null;
  /** What this store makes of `If-None-Match`. */
  conditionalPut: 'kept' | 'ignored' | 'refused' = 'kept';
  /** Takes signed uploads whatever their headers are, as a store does that compares the address alone. */
  comparesHeaders = true;
  /** Takes no object without this server-side encryption, as a bucket's policy does. */
  deniesUnlessEncryptedBy: string | null = null;
  private readonly server: Server;

  private constructor(readonly bucket: string) {
    this.server = createServer(
      (request, response) => void this.serve(request, response).catch(() => response.destroy()),
    );
  }

  static async start(bucket = 'photos', address = '127.0.0.1'): Promise<S3Peer> {
    const peer = new S3Peer(bucket);
    const free = await freePort();
    await new Promise<void>((resolve) => peer.server.listen(free, address, resolve));
    return peer;
  }

  get endpoint(): string {
    const { address, port } = this.server.address() as AddressInfo;
    return `http://${address}:${port}`;
  }

  /** Settings with which a gateway uses this peer. */
  get environment(): Record<string, string> {
    return {
      SUTURA_STORAGE: 's3',
      S3_BUCKET: this.bucket,
      S3_ENDPOINT: this.endpoint,
      S3_ACCESS_KEY_ID: PEER_KEY.accessKeyId,
      S3_SECRET_ACCESS_KEY: PEER_KEY.secretAccessKey,
      S3_FORCE_PATH_STYLE: 'true',
    };
  }

  /** Deletes an object as somebody with a key of their own does. */
  lose(key: string): void {
    this.keep(key, null);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { method = '', url = '', headers } = request;
    const isSignedUpload = method === 'PUT' && url.includes('X-Amz-Signature=');
    const refusal =
      isSignedUpload && !this.comparesHeaders
        ? null
        : refusalOf(
            { method, target: url, headers },
            new Map([[PEER_KEY.accessKeyId, PEER_KEY.secretAccessKey]]),
            new Date(),
          );
    if (this.fault !== null) return this.refuse(response, this.fault.status, this.fault.code);
    if (refusal !== null) return this.refuse(response, 403, refusal);
    const { pathname, searchParams } = new URL(url, this.endpoint);
    const [, bucket = '', ...parts] = decodeURIComponent(pathname).split('/');
    if (bucket !== this.bucket) return this.refuse(response, 404, 'NoSuchBucket');
    const key = parts.join('/');
    if (key === '' && searchParams.has('versions')) return this.listVersions(response);
    if (key === '') return method === 'GET' ? this.list(response, searchParams) : void response.writeHead(200).end();
    const source = headers['x-amz-copy-source'];
    if (method === 'PUT' && typeof source === 'string') return this.copy(key, source, response);
    if (method === 'PUT') return this.put(key, body, request, response);
    if (method === 'DELETE') return this.delete(key, response);
    return this.get(key, searchParams, response);
  }

  private put(key: string, bytes: Buffer, { headers, url = '' }: IncomingMessage, response: ServerResponse): void {
    const digest =
      headers['x-amz-checksum-sha256'] ??
      new URL(url, this.endpoint).searchParams.get('x-amz-checksum-sha256') ??
      undefined;
    if (digest !== undefined && createHash('sha256').update(bytes).digest('base64') !== digest)
      return this.refuse(response, 400, 'BadDigest');
    if (headers['if-none-match'] !== undefined && this.conditionalPut === 'refused')
      return this.refuse(response, 501, 'NotImplemented');
    if (headers['if-none-match'] === '*' && this.conditionalPut === 'kept' && this.objects.has(key))
      return this.refuse(response, 412, 'PreconditionFailed');
    const encryption = headers['x-amz-server-side-encryption'];
    const kmsKeyId = headers['x-amz-server-side-encryption-aws-kms-key-id'];
    if (this.deniesUnlessEncryptedBy !== null && encryption !== this.deniesUnlessEncryptedBy)
      return this.refuse(response, 403, 'AccessDenied');
    this.keep(key, {
      bytes,
      contentType: headers['content-type'],
      encryption: [encryption, kmsKeyId].filter((part) => part !== undefined).join(' '),
    });
    response.writeHead(200, { etag: `"${createHash('md5').update(bytes).digest('hex')}"` }).end();
  }

  private get(key: string, query: URLSearchParams, response: ServerResponse): void {
    const found = query.has('versionId') ? this.versionOf(query) : this.objects.get(key);
    if (found === undefined) return this.refuse(response, 404, 'NoSuchKey');
    const answer: Record<string, string> = { 'content-length': String(found.bytes.length) };
    const contentType = query.get('response-content-type') ?? found.contentType;
    const disposition = query.get('response-content-disposition');
    if (contentType !== undefined) answer['content-type'] = contentType;
    if (disposition !== null) answer['content-disposition'] = disposition;
    response.writeHead(200, answer).end(found.bytes);
  }

  private delete(key: string, response: ServerResponse): void {
    this.keep(key, null);
    response.writeHead(204).end();
  }

  private keep(key: string, object: StoredObject | null): void {
    this.versions.push({ id: `v${this.versions.length + 1}`, key, writtenAt: new Date(), object });
    if (object === null) this.objects.delete(key);
    else this.objects.set(key, object);
  }

  private versionOf(query: URLSearchParams): StoredObject | undefined {
    return this.versions.find(({ id }) => id === query.get('versionId'))?.object ?? undefined;
  }

  private copy(key: string, source: string, response: ServerResponse): void {
    const found = this.versionOf(new URL(source, this.endpoint).searchParams);
    if (found === undefined) return this.refuse(response, 404, 'NoSuchVersion');
    this.keep(key, found);
    sendXml(response, `<CopyObjectResult><ETag>"copied"</ETag></CopyObjectResult>`);
  }

  private listVersions(response: ServerResponse): void {
    const isLatest = ({ id, key }: StoredVersion) => this.versions.findLast((one) => one.key === key)?.id === id;
    const entries = this.versions.map((version) => {
      const name = version.object === null ? 'DeleteMarker' : 'Version';
      const { id, key, writtenAt } = version;
      const facts = `<IsLatest>${isLatest(version)}</IsLatest><LastModified>${writtenAt.toISOString()}</LastModified>`;
      return `<${name}><Key>${key}</Key><VersionId>${id}</VersionId>${facts}</${name}>`;
    });
    const all = entries.toReversed().join('');
    sendXml(response, `<ListVersionsResult><IsTruncated>false</IsTruncated>${all}</ListVersionsResult>`);
  }

  private list(response: ServerResponse, query: URLSearchParams): void {
    const after = query.get('continuation-token') ?? '';
    const keys = [...this.objects.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
      .sort();
    const page = keys.slice(0, PAGE_SIZE);
    const more =
      keys.length > page.length
        ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${page.at(-1) ?? ''}</NextContinuationToken>`
        : '<IsTruncated>false</IsTruncated>';
    const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
    sendXml(response, `<ListBucketResult>${more}${contents}</ListBucketResult>`);
  }

  private refuse(response: ServerResponse, status: number, code: string): void {
    this.refusals.push(code);
    response
      .writeHead(status, { 'content-type': 'application/xml' })
      .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
  }
}

function sendXml(response: ServerResponse, xml: string): void {
  response.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${xml}`);
}
