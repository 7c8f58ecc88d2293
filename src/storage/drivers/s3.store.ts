import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type GetObjectCommandOutput,
  type PutObjectCommandInput,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { SuturaError } from '../../core/errors/sutura-error.js';
import type { Clock } from '../../core/ports/clock.js';
import {
  ObjectStore,
  type ReceivedObject,
  type SignedUpload,
  type UploadGrant,
} from '../../core/images/object-store.js';
import type { Settings } from '../../platform/config/settings.js';
import { mediaTypeOf } from '../../platform/http/unread-bodies.js';
import type { Logger } from '../../platform/logging/logger.js';
import { tryConditionalPut, type ConditionalPutVerdict } from './conditional-put.trial.js';
import { isAbsent, toNamedFault } from './storage-fault.js';

const CONNECTION_TIMEOUT_MS = 2000;
const REQUEST_TIMEOUT_MS = 30_000;
/** A wrong set-up needs an operator. */
const REFUSED_RETRY_AFTER_S = 30;

type S3Settings = Pick<Settings['s3'], 'region' | 'endpoint' | 'accessKeyId' | 'secretAccessKey' | 'forcePathStyle'>;

/** The SDK writes plain sentences about its runtime, which would stand between the JSON lines of the log. */
const SILENT = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/**
 * A client for AWS or any S3-compatible service. Without both key settings the SDK looks for credentials itself.
 * @param endpoint address of the store, where it is not `S3_ENDPOINT`
 */
export function connectS3(settings: S3Settings, endpoint = settings.endpoint): S3Client {
  const { accessKeyId, secretAccessKey } = settings;
  return new S3Client({
    region: settings.region,
    forcePathStyle: settings.forcePathStyle,
    logger: SILENT,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { credentials: { accessKeyId, secretAccessKey } }),
    // The SDK's own default adds CRC-32 trailers, which many S3-compatible services and every presigned PUT refuse.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECTION_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
  });
}

interface S3Options {
  /** Signs the addresses for clients, where they reach the store by another address than this process. */
  readonly publicClient?: S3Client;
  /** `on`: uploads are signed with `If-None-Match`; `auto`: as one trial decides. Without it, the last upload counts. */
  readonly conditionalPut?: 'auto' | 'on' | 'off';
  readonly logger?: Pick<Logger, 'warn'>;
  /** Has the store encrypt each object (SSE-S3, SSE-KMS); without `by`, as the bucket is set up. */
  readonly encryption?: {
    readonly by?: 'AES256' | 'aws:kms' | undefined;
    readonly kmsKeyId?: string | undefined;
  };
}

/** Objects in an S3 bucket. Clients send photos straight to it, so photos are judged when a job is created. */
export class S3Store extends ObjectStore {
  readonly uploadsArriveAt = 'store';
  private trial: Promise<ConditionalPutVerdict> | undefined;
  private hasLoggedTrial = false;
  private lastRefusal: string | undefined;

  constructor(
    private readonly client: S3Client,
    private readonly bucket: string,
    private readonly clock: Clock,
    private readonly options: S3Options = {},
  ) {
    super();
  }

  /**
   * Type, length and digest are signed where they were announced; the store then refuses anything else. An upper limit
   * alone cannot be signed into a PUT: it is checked when the object is read. `If-None-Match: *` makes the address good for one object.
   */
  async signUpload(grant: UploadGrant): Promise<SignedUpload> {
    const { contentType, contentLength, sha256 } = grant.announced;
    const headers: Record<string, string> = (await this.knowsConditionalPut()) ? { 'If-None-Match': '*' } : {};
    if (contentType !== null) headers['Content-Type'] = contentType;
    if (contentLength !== null) headers['Content-Length'] = String(contentLength);
    if (sha256 !== null) headers['x-amz-checksum-sha256'] = Buffer.from(sha256, 'hex').toString('base64');
    const { ServerSideEncryption, SSEKMSKeyId } = this.encryption;
    // The store compares them with the address, so a client cannot have its photo kept otherwise.
    if (ServerSideEncryption !== undefined) headers['x-amz-server-side-encryption'] = ServerSideEncryption;
    if (SSEKMSKeyId !== undefined) headers['x-amz-server-side-encryption-aws-kms-key-id'] = SSEKMSKeyId;
    const command = new PutObjectCommand({
      Bucket: this.bucket,
      Key: grant.objectKey,
      IfNoneMatch: headers['If-None-Match'],
      ContentType: contentType ?? undefined,
      ContentLength: contentLength ?? undefined,
      ChecksumSHA256: headers['x-amz-checksum-sha256'],
      ...this.encryption,
    });
    const signed = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
    const now = this.clock.now();
    const expiresIn = Math.max(1, Math.floor((grant.expiresAt.getTime() - now.getTime()) / 1000));
    const url = await getSignedUrl(this.signer, command, {
      expiresIn,
      signingDate: now,
      signableHeaders: signed,
      unhoistableHeaders: signed,
    });
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
    return getSignedUrl(this.signer, command, { expiresIn: lifeS, signingDate: this.clock.now() });
  }

  async put(objectKey: string, bytes: Uint8Array, contentType: string): Promise<void> {
    const command = new PutObjectCommand({
      Bucket: this.bucket,
      Key: objectKey,
      Body: bytes,
      ContentLength: bytes.length,
      ContentType: contentType,
      ...this.encryption,
    });
    await this.client.send(command).catch((fault: unknown) => this.rethrow(fault));
  }

  async get(objectKey: string, maxBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array | null> {
    return (await this.getReceived(objectKey, maxBytes))?.bytes ?? null;
  }

  async getReceived(objectKey: string, maxBytes: number): Promise<ReceivedObject | null> {
    try {
      const answer = await this.client.send(new GetObjectCommand({ Bucket: this.bucket, Key: objectKey }));
      const contentType = mediaTypeOf(answer.ContentType);
      return { bytes: await collect(answer, maxBytes), contentType: contentType === '' ? null : contentType };
    } catch (fault) {
      if (isAbsent(fault)) return null;
      return this.rethrow(fault);
    }
  }

  /** One by one: an image has a handful of objects, and not every S3-compatible service knows the bulk call. */
  async deleteAll(prefix: string): Promise<void> {
    let continuation: string | undefined;
    do {
      const page = await this.client
        .send(new ListObjectsV2Command({ Bucket: this.bucket, Prefix: prefix, ContinuationToken: continuation }))
        .catch((fault: unknown) => this.rethrow(fault));
      for (const { Key } of page.Contents ?? [])
        await this.client
          .send(new DeleteObjectCommand({ Bucket: this.bucket, Key }))
          .catch((fault: unknown) => this.rethrow(fault));
      continuation = page.NextContinuationToken;
    } while (continuation !== undefined);
  }

  async check(): Promise<void> {
    await this.client
      .send(new HeadBucketCommand({ Bucket: this.bucket }))
      .catch((fault: unknown) => this.rethrow(fault));
    await this.knowsConditionalPut();
    this.lastRefusal = undefined;
  }

  private get encryption(): AskedEncryption {
    const { by: encryption, kmsKeyId } = this.options.encryption ?? {};
    return encryptionOf({ encryption, kmsKeyId });
  }

  private get signer(): S3Client {
    return this.options.publicClient ?? this.client;
  }

  private async knowsConditionalPut(): Promise<boolean> {
    if (this.options.conditionalPut !== 'auto') return this.options.conditionalPut !== 'off';
    // A trial without a verdict is repeated at the next request.
    this.trial ??= tryConditionalPut(this.client, this.bucket, this.encryption).catch((fault: unknown) => {
      this.trial = undefined;
      return this.rethrow(fault);
    });
    const verdict = await this.trial;
    if (verdict !== 'kept' && !this.hasLoggedTrial) this.options.logger?.warn('storage.conditional_put', { verdict });
    this.hasLoggedTrial = true;
    return verdict !== 'refused';
  }

  /** A refusal (wrong bucket, key or permission) needs the operator: logged once, and callers get `service.unavailable`. */
  private rethrow(fault: unknown): never {
    const named = toNamedFault(fault);
    const { name, $metadata } = fault as {
      readonly name?: string;
      readonly $metadata?: { readonly httpStatusCode?: number };
    };
    if (named instanceof SuturaError) throw named;
    if (this.lastRefusal !== name)
      this.options.logger?.warn('storage.refused', {
        reason: name ?? 'unknown',
        status: $metadata?.httpStatusCode ?? null,
        bucket: this.bucket,
      });
    this.lastRefusal = name;
    const unavailable = new SuturaError('service.unavailable', { retryAfterS: REFUSED_RETRY_AFTER_S });
    unavailable.cause = fault;
    throw unavailable;
  }
}

type AskedEncryption = Pick<PutObjectCommandInput, 'ServerSideEncryption' | 'SSEKMSKeyId'>;

/** How the store is asked to encrypt an object. */
export function encryptionOf({ encryption, kmsKeyId }: Partial<Settings['s3']>): AskedEncryption {
  return {
    ...(encryption === undefined ? {} : { ServerSideEncryption: encryption }),
    ...(kmsKeyId === undefined ? {} : { SSEKMSKeyId: kmsKeyId }),
  };
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
