import { z } from 'zod';
import { variable } from '../variable.js';
import { databaseUrl, flag, hostsAndPorts, httpUrl, onOrOff, whole } from '../value-schemas.js';

/** Where rows, the queue and photos lie. */
export const STORE_SECTIONS = {
  database: {
    url: variable('DATABASE_URL', 'PostgreSQL to use instead of the embedded one', databaseUrl.optional()),
    poolSize: variable(
      'SUTURA_DATABASE_POOL',
      'Connections for callers; workers and sweeps have a quarter of this besides',
      whole(2, 200, 16),
    ),
    migrateAtStart: variable(
      'SUTURA_MIGRATE_AT_START',
      'Bring the database to the schema of this release at start; off: wait up to 60 s until "database migrate" has done it, and end where it has not',
      onOrOff,
    ),
  },
  redis: {
    url: variable(
      'REDIS_URL',
      'Redis for Bull, with TLS where it begins with rediss://; without it jobs are dispatched through PostgreSQL',
      z
        .url({ protocol: /^rediss?$/, error: 'must be redis://… or, with TLS, rediss://…' })
        .refine((text) => /^rediss?:\/\/[^/?#]+(\/\d{0,5})?$/i.test(text), {
          error: 'takes a host, a port, a user with a password and the number of a database, and no parameters',
        })
        .optional(),
    ),
    caFile: variable(
      'REDIS_CA_FILE',
      'Certificates of the authorities that a Redis with TLS is trusted by, in PEM; default: those of Node.js',
      z.string().optional(),
    ),
    sentinels: variable(
      'REDIS_SENTINELS',
      'Redis Sentinels as host:port, by commas; REDIS_URL then names the group of servers in the place of the host',
      hostsAndPorts.optional(),
    ),
    sentinelPassword: variable(
      'REDIS_SENTINEL_PASSWORD',
      'Password of the Sentinels, where they have one',
      z.string().optional(),
    ),
  },
  encryption: {
    mode: variable(
      'SUTURA_ENCRYPTION',
      'Whether photos, documents and HL7 messages are encrypted at rest where there is a key; off: nothing new is, and what is stays readable; required: objects that are not encrypted are refused, too',
      z.enum(['on', 'off', 'required']).default('on'),
    ),
    keyCommand: variable(
      'SUTURA_ENCRYPTION_KEY_COMMAND',
      'Command that prints what would stand in SUTURA_ENCRYPTION_KEY_FILE, instead of it: the client of a key management system; it runs at the start and every five minutes',
      z.string().min(1).optional(),
    ),
    keyFile: variable(
      'SUTURA_ENCRYPTION_KEY_FILE',
      'File of the keys of encryption at rest, the same for all processes; the first encrypts, all decrypt; default: encryption.keys in the data folder, made at the first start with the embedded database',
      z.string().optional(),
    ),
  },
  storage: {
    driver: variable('SUTURA_STORAGE', 'Where photos and artifacts lie', z.enum(['local', 's3']).default('local')),
    minFreeMib: variable(
      'SUTURA_MIN_FREE_MIB',
      'Free space of the data folder below which the process is not ready',
      whole(0, 1_000_000, 512),
    ),
    uploadLifeS: variable('SUTURA_UPLOAD_LIFE_S', 'Life of a signed upload URL in seconds', whole(10, 86_400, 900)),
  },
  s3: {
    bucket: variable('S3_BUCKET', 'Bucket, for SUTURA_STORAGE=s3', z.string().optional()),
    region: variable('S3_REGION', 'Region of the bucket', z.string().default('us-east-1')),
    endpoint: variable('S3_ENDPOINT', 'Address of an S3-compatible service', httpUrl.optional()),
    publicEndpoint: variable(
      'S3_PUBLIC_ENDPOINT',
      'Address at which clients reach that service, for uploads and downloads; default: S3_ENDPOINT',
      httpUrl.optional(),
    ),
    conditionalPut: variable(
      'S3_CONDITIONAL_PUT',
      'Whether uploads carry If-None-Match, which makes an address good for one photo; auto: as a trial at start says',
      z.enum(['auto', 'on', 'off']).default('auto'),
    ),
    accessKeyId: variable(
      'S3_ACCESS_KEY_ID',
      'S3 access key; default: the AWS SDK’s own sources',
      z.string().optional(),
    ),
    secretAccessKey: variable('S3_SECRET_ACCESS_KEY', 'S3 secret key', z.string().optional()),
    encryption: variable(
      'S3_ENCRYPTION',
      'How the bucket is asked to encrypt each object: AES256, or aws:kms by the key S3_KMS_KEY_ID; without it, as the bucket is set up',
      z.enum(['AES256', 'aws:kms']).optional(),
    ),
    kmsKeyId: variable(
      'S3_KMS_KEY_ID',
      'Id or ARN of the key of S3_ENCRYPTION=aws:kms; default: the account’s own',
      z
        .string()
        .regex(/^[\w:/-]{1,256}$/, { error: 'must be the id or ARN of a key' })
        .optional(),
    ),
    forcePathStyle: variable(
      'S3_FORCE_PATH_STYLE',
      'Address buckets as a path, as most S3-compatible services want',
      flag,
    ),
  },
} as const;
