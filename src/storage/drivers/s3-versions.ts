import {
  CopyObjectCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  type CopyObjectCommandInput,
  type ListObjectVersionsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';

/** What a bucket with versions keeps of one object. */
export interface ObjectVersion {
  readonly id: string;
  /** By the store's clock. */
  readonly writtenAt: Date;
  /** A delete marker: from this moment on the object was gone. */
  readonly isDeletion: boolean;
}

/** The earlier versions of a bucket's objects. Nothing here removes one: what is brought back becomes the newest version. */
export class S3Versions {
  constructor(
    private readonly client: S3Client,
    private readonly bucket: string,
    /** Asked for with each version that is brought back, as with every object that is put there. */
    private readonly encryption: Pick<CopyObjectCommandInput, 'ServerSideEncryption' | 'SSEKMSKeyId'> = {},
  ) {}

  /** Every object that the bucket has or had, in the order of their keys, the newest version first. */
  async *list(): AsyncIterable<{ readonly objectKey: string; readonly versions: readonly ObjectVersion[] }> {
    let current: { objectKey: string; versions: ListedVersion[] } | undefined;
    for await (const { objectKey, version } of this.everyVersion()) {
      if (current?.objectKey === objectKey) {
        current.versions.push(version);
        continue;
      }
      if (current !== undefined) yield inOrder(current);
      current = { objectKey, versions: [version] };
    }
    if (current !== undefined) yield inOrder(current);
  }

  async read(objectKey: string, versionId: string): Promise<Uint8Array> {
    const command = new GetObjectCommand({ Bucket: this.bucket, Key: objectKey, VersionId: versionId });
    return (await this.client.send(command)).Body!.transformToByteArray();
  }

  async bringBack(objectKey: string, versionId: string): Promise<void> {
    const source = [this.bucket, ...objectKey.split('/')].map(encodeURIComponent).join('/');
    await this.client.send(
      new CopyObjectCommand({
        Bucket: this.bucket,
        Key: objectKey,
        CopySource: `${source}?versionId=${encodeURIComponent(versionId)}`,
        ...this.encryption,
      }),
    );
  }

  private async *everyVersion(): AsyncIterable<{ readonly objectKey: string; readonly version: ListedVersion }> {
    let at: { readonly KeyMarker?: string | undefined; readonly VersionIdMarker?: string | undefined } | undefined = {};
    while (at !== undefined) {
      const page: ListObjectVersionsCommandOutput = await this.client.send(
        new ListObjectVersionsCommand({ Bucket: this.bucket, ...at }),
      );
      const found = [
        ...(page.Versions ?? []).map((entry) => ({ ...entry, isDeletion: false })),
        ...(page.DeleteMarkers ?? []).map((entry) => ({ ...entry, isDeletion: true })),
      ].sort((one, other) => compareText(one.Key!, other.Key!));
      for (const { Key, VersionId, LastModified, IsLatest = false, isDeletion } of found)
        yield {
          objectKey: Key!,
          version: { id: VersionId!, writtenAt: LastModified!, isDeletion, isNewest: IsLatest },
        };
      at = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker } : undefined;
    }
  }
}

interface ListedVersion extends ObjectVersion {
  readonly isNewest: boolean;
}

/** As the store orders keys. */
const compareText = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** A page lists deletions apart from the rest, and some stores tell whole seconds. */
function inOrder({ objectKey, versions }: { readonly objectKey: string; readonly versions: readonly ListedVersion[] }) {
  const newestFirst = versions.toSorted(
    (one, other) =>
      Number(other.isNewest) - Number(one.isNewest) || other.writtenAt.getTime() - one.writtenAt.getTime(),
  );
  return { objectKey, versions: newestFirst };
}
