import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type GetObjectCommandOutput,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { SuturaError } from '../../core/errors/sutura-error.js';
import type { Clock } from '../../core/ports/clock.js';
import { ObjectStore, type SignedUpload, type UploadGrant } from '../../core/ports/object-store.js';
import type { Environment } from '../../platform/config/settings.js';
import { isAbsent, toNamedFault } from './s3-fault.js';

const CONNECTION_TIMEOUT_MS = 2000;
const REQUEST_TIMEOUT_MS = 30_000;

type S3Settings = Pick<Environment, 'S3_REGION' | 'S3_ENDPOINT' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY' | 'S3_FORCE_PATH_STYLE'>;

/** A client for AWS or any S3-compatible service. Without both key settings the SDK's own sources of credentials are asked. */
export function connectS3(settings: S3Settings): S3Client {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey, S3_ENDPOINT: endpoint } = settings;
  return new S3Client({
    region: settings.S3_REGION,
    forcePathStyle: settings.S3_FORCE_PATH_STYLE,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(accessKeyId === undefined || secretAccessKey === undefined ? {} : { credentials: { accessKeyId, secretAccessKey } }),
    // The SDK's own default adds CRC-32 trailers, which many S3-compatible services and every presigned PUT refuse.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECTION_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
  });
}

/** Objects in an S3 bucket. Clients send photos straight to it, so what they sent is judged when a job is created. */
export class S3Store extends ObjectStore {
  readonly uploadsArriveAt = 'store';

  constructor(
    private readonly client: S3Client,
    private readonly bucket: string,
    private readonly clock: Clock,
  ) {
    super();
  }

  /**
   * Type, length and digest are signed where they were announced; the store then refuses anything else. An upper limit
   * alone cannot be signed into a PUT: it is checked when the object is read. `If-None-Match: *` makes the address good for one object.
   */
  async signUpload(grant: UploadGrant): Promise<SignedUpload> {
    const { contentType, contentLength, sha256 } = grant.announced;
    const headers: Record<string, string> = { 'If-None-Match': '*' };
    if (contentType !== null) headers['Content-Type'] = contentType;
    if (contentLength !== null) headers['Content-Length'] = String(contentLength);
    if (sha256 !== null) headers['x-amz-checksum-sha256'] = Buffer.from(sha256, 'hex').toString('base64');
    const command = new PutObjectCommand({
      Bucket: this.bucket,
      Key: grant.objectKey,
      IfNoneMatch: '*',
      ContentType: contentType ?? undefined,
      ContentLength: contentLength ?? undefined,
      ChecksumSHA256: headers['x-amz-checksum-sha256'],
    });
    const signed = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
    const now = this.clock.now();
    const expiresIn = Math.max(1, Math.floor((grant.expiresAt.getTime() - now.getTime()) / 1000));
    const url = await getSignedUrl(this.client, command, { expiresIn, signingDate: now, signableHeaders: signed, unhoistableHeaders: signed });
    return { url, headers };
  }

  signDownload(objectKey: string, contentType: string, lifeS: number): Promise<string> {
    const command = new GetObjectCommand({
      Bucket: this.bucket,
      Key: objectKey,
      ResponseContentType: contentType,
      ResponseContentDisposition: 'attachment',
      ResponseCacheControl: 'no-store',
    });
    return getSignedUrl(this.client, command, { expiresIn: lifeS, signingDate: this.clock.now() });
  }

  async put(objectKey: string, bytes: Uint8Array, contentType: string): Promise<void> {
    const command = new PutObjectCommand({ Bucket: this.bucket, Key: objectKey, Body: bytes, ContentLength: bytes.length, ContentType: contentType });
    await this.client.send(command).catch(rethrow);
  }

  async get(objectKey: string, maxBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array | null> {
    try {
      return await collect(await this.client.send(new GetObjectCommand({ Bucket: this.bucket, Key: objectKey })), maxBytes);
    } catch (fault) {
      if (isAbsent(fault)) return null;
      return rethrow(fault);
    }
  }

  /** One by one: an image has a handful of objects, and not every S3-compatible service knows the bulk call. */
  async deleteAll(prefix: string): Promise<void> {
    let continuation: string | undefined;
    do {
      const page = await this.client.send(new ListObjectsV2Command({ Bucket: this.bucket, Prefix: prefix, ContinuationToken: continuation })).catch(rethrow);
      for (const { Key } of page.Contents ?? []) await this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key })).catch(rethrow);
      continuation = page.NextContinuationToken;
    } while (continuation !== undefined);
  }

  async check(): Promise<void> {
    await this.client.send(new HeadBucketCommand({ Bucket: this.bucket }));
  }
}

/** The body as bytes; a longer one than allowed is cut off before it is read. */
async function collect({ Body, ContentLength }: GetObjectCommandOutput, maxBytes: number): Promise<Uint8Array> {
  const stream = Body as NodeJS.ReadableStream & AsyncIterable<Uint8Array> & { destroy(): void };
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    if ((ContentLength ?? 0) > maxBytes) throw new SuturaError('image.too_large');
    for await (const chunk of stream) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw new SuturaError('image.too_large');
      chunks.push(chunk);
    }
  } finally {
    stream.destroy();
  }
  return Buffer.concat(chunks, sizeBytes);
}

function rethrow(fault: unknown): never {
  throw toNamedFault(fault);
}
