// Makes the bucket of S3_BUCKET where it is missing. Runs in the service's image, which brings the S3 client.
import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MS = 60_000;
const PAUSE_MS = 500;
const { S3_BUCKET, S3_REGION, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = process.env;

const client = new S3Client({
  region: S3_REGION || 'us-east-1',
  endpoint: S3_ENDPOINT,
  forcePathStyle: true,
  credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
});

async function makeBucket() {
  const exists = await client.send(new HeadBucketCommand({ Bucket: S3_BUCKET })).then(
    () => true,
    (fault) => {
      if (fault.$metadata?.httpStatusCode === 404) return false;
      throw fault;
    },
  );
  if (!exists) await client.send(new CreateBucketCommand({ Bucket: S3_BUCKET }));
}

// The store may still be starting.
const deadline = performance.now() + PATIENCE_MS;
for (;;) {
  try {
    await makeBucket();
    break;
  } catch (fault) {
    if (performance.now() > deadline) throw fault;
    await delay(PAUSE_MS);
  }
}
