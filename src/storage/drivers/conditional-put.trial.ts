import { PutObjectCommand, type PutObjectCommandInput, type S3Client } from '@aws-sdk/client-s3';

/** `kept`: a second write under one key is refused; `ignored`: it is taken; `refused`: the store takes no write with the condition. */
export type ConditionalPutVerdict = 'kept' | 'ignored' | 'refused';

const KEY = 'trial/conditional-put';

/**
 * Writes a small object twice under one key with `If-None-Match: *`, encrypted as all objects are: a bucket may refuse
 * others. Throws any other error of the store.
 */
export async function tryConditionalPut(
  client: S3Client,
  bucket: string,
  encryption: Pick<PutObjectCommandInput, 'ServerSideEncryption' | 'SSEKMSKeyId'> = {},
): Promise<ConditionalPutVerdict> {
  // The first write is refused as well where an earlier trial left its object.
  for (const whenTaken of ['again', 'ignored'] as const) {
    try {
      await client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: KEY,
          ...encryption,
          Body: 'trial',
          ContentLength: 5,
          IfNoneMatch: '*',
        }),
      );
      if (whenTaken === 'ignored') return whenTaken;
    } catch (fault) {
      const status = (fault as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata?.httpStatusCode;
      if (status === 412 || status === 409) return 'kept';
      if (status === 501 || status === 400) return 'refused';
      throw fault;
    }
  }
  return 'ignored';
}
