import { cpus } from 'node:os';
import { z } from 'zod';
import {
  aesKeys,
  flag,
  folderName,
  hostsAndPorts,
  httpUrl,
  listOf,
  networks,
  onOrOff,
  proxies,
  timeZone,
  whole,
} from './value-schemas.js';

/** What a process can do: answer HTTP, analyse photos, send and take HL7 v2 messages. */
export const ROLES = ['api', 'worker', 'hl7'] as const;
export const EXECUTION_PROVIDERS = ['cuda', 'webgpu', 'cpu'] as const;

const MIB = 1024 * 1024;

/** An environment variable: its name, and the values it takes, described as in docs/settings.md. */
interface Variable<S extends z.ZodType> {
  readonly name: string;
  readonly schema: S;
}

function variable<S extends z.ZodType>(name: string, purpose: string, schema: S): Variable<S> {
  return { name, schema: schema.describe(purpose) };
}

/** Every variable the gateway reads, by the section of Settings that it fills, with its limits and default. A test compares them with docs/settings.md. */
export const SECTIONS = {
  http: {
    port: variable('PORT', 'TCP port of the HTTP server; 0 takes a free one', whole(0, 65535, 3000)),
    host: variable('HOST', 'Address to listen on', z.string().default('127.0.0.1')),
    publicUrl: variable(
      'PUBLIC_URL',
      'Base of the absolute URLs that are handed out; default http://HOST:PORT',
      httpUrl.optional(),
    ),
    trustProxy: variable(
      'TRUST_PROXY',
      'Reverse proxies in front whose X-Forwarded-For is believed: their addresses and networks by commas, such as 10.1.2.3, 10.0.0.0/8 or loopback; false: none',
      proxies,
    ),
  },
  process: {
    dataDir: variable(
      'SUTURA_DATA_DIR',
      'Folder of the embedded database and of local storage',
      z.string().default('.data'),
    ),
    roles: variable('SUTURA_ROLES', 'What this process does: any of api, worker and hl7', listOf(ROLES, ROLES)),
    logLevel: variable(
      'SUTURA_LOG_LEVEL',
      'Least level that is logged',
      z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
    ),
    timeZone: variable(
      'SUTURA_TIME_ZONE',
      'Zone of the moments in reports where the organization has none, such as Europe/Berlin',
      timeZone.default('UTC'),
    ),
  },
  tracing: {
    endpoint: variable(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'OpenTelemetry collector that traces are sent to (OTLP over HTTP, JSON), such as http://collector:4318; without it there are none',
      httpUrl.optional(),
    ),
    serviceName: variable('OTEL_SERVICE_NAME', 'Name of the service in traces', z.string().default('sutura')),
    sampledShare: variable(
      'OTEL_TRACES_SAMPLER_ARG',
      'Share of the traces that are recorded, from 0 to 1, chosen by trace id; a caller that says whether its own trace is recorded is followed',
      z.coerce.number().min(0).max(1).default(1),
    ),
  },
  reports: {
    paper: variable(
      'SUTURA_REPORT_PAPER',
      'Paper of reports that nobody asked another for: a4 or letter; over FHIR and HL7 v2 it is always this one',
      z.enum(['a4', 'letter']).default('a4'),
    ),
  },
  database: {
    url: variable(
      'DATABASE_URL',
      'PostgreSQL to use instead of the embedded one',
      z
        .string()
        .regex(/^postgres(ql)?:\/\//)
        .optional(),
    ),
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
    forcePathStyle: variable(
      'S3_FORCE_PATH_STYLE',
      'Address buckets as a path, as most S3-compatible services want',
      flag,
    ),
  },
  images: {
    maxBytes: variable('SUTURA_MAX_IMAGE_BYTES', 'Largest photo in bytes', whole(1024, 200 * MIB, 20 * MIB)),
    maxPixels: variable('SUTURA_MAX_IMAGE_PIXELS', 'Largest photo in pixels', whole(4096, 200_000_000, 50_000_000)),
    fetchNetworks: variable(
      'SUTURA_FETCH_NETWORKS',
      'Networks inside, such as 10.20.0.0/16, that photos may be fetched from beside the public internet; hosts are listed for each organization',
      networks,
    ),
  },
  models: {
    dir: variable('SUTURA_MODELS_DIR', 'Folder of the models', z.string().default('models')),
    segmentation: variable(
      'SUTURA_SEGMENTATION_MODEL',
      'Model that outlines: fast, the name of its folder, or accurate where a model of your own states that variant',
      folderName.default('fast'),
    ),
    tissue: variable(
      'SUTURA_TISSUE_MODEL',
      'Model that tells tissues apart: auto (the newest, where there is one), none or a folder name',
      folderName.default('auto'),
    ),
    executionProviders: variable(
      'SUTURA_EXECUTION_PROVIDERS',
      'ONNX execution providers, in the order they are tried',
      listOf(EXECUTION_PROVIDERS, ['cpu']),
    ),
    intraOpThreads: variable('SUTURA_INTRA_OP_THREADS', 'Threads of one inference process', whole(1, 64, 1)),
    batchSize: variable('SUTURA_BATCH_SIZE', 'Most images in one run on a GPU; CPU runs are single', whole(1, 64, 8)),
    batchDelayMs: variable('SUTURA_BATCH_DELAY_MS', 'Longest wait for a batch to fill, on a GPU', whole(0, 1000, 10)),
    allowResearch: variable('SUTURA_ALLOW_RESEARCH_MODEL', 'Allow live jobs on a research-only model', flag),
    pushScore: variable(
      'SUTURA_PUSH_SCORE',
      'Add PUSH Tool 3.0 sub-scores to results; the tool is the NPIAP’s, whose permission the operator needs',
      flag,
    ),
  },
  workers: {
    processes: variable('SUTURA_WORKER_PROCESSES', 'Inference processes', whole(1, 64, Math.max(1, cpus().length))),
    maxResidentMib: variable(
      'SUTURA_WORKER_MAX_RSS_MIB',
      'Memory at which an inference process is replaced',
      whole(128, 65_536, 1024),
    ),
    leaseS: variable('SUTURA_LEASE_S', 'Seconds after which a silent worker loses its job', whole(2, 600, 60)),
    jobTimeoutMs: variable('SUTURA_JOB_TIMEOUT_MS', 'Longest processing of one job', whole(100, 600_000, 60_000)),
    sweepIntervalMs: variable(
      'SUTURA_SWEEP_INTERVAL_MS',
      'Interval of the search for lost jobs',
      whole(100, 60_000, 5000),
    ),
  },
  fhir: {
    snomed: variable(
      'FHIR_SNOMED',
      'Add SNOMED CT codes to FHIR resources, for which the country of use needs a licence; off: LOINC and local codes only',
      onOrOff,
    ),
    style: variable(
      'FHIR_STYLE',
      'discrete: an Observation for each measure; skin-wound-ig: as the HL7 skin and wound guide has them',
      z.enum(['discrete', 'skin-wound-ig']).default('discrete'),
    ),
    photoAs: variable(
      'FHIR_PHOTO_AS',
      'As what a photo that came in natively is shown over FHIR',
      z.enum(['media', 'documentreference', 'both']).default('media'),
    ),
    requireIfMatch: variable('FHIR_REQUIRE_IF_MATCH', 'Refuse FHIR updates and patches without If-Match', flag),
    maxInlineBytes: variable(
      'FHIR_MAX_INLINE_BYTES',
      'Largest attachment inside a FHIR resource, in bytes once decoded',
      whole(1024, 48 * MIB, 20 * MIB),
    ),
  },
  hl7: {
    port: variable(
      'HL7_PORT',
      'MLLP port of the demo organization, which only the embedded database has; 0 takes a free one',
      whole(0, 65535, 2575),
    ),
    host: variable(
      'HL7_HOST',
      'Address that MLLP listeners are bound to unless theirs says otherwise',
      z.string().default('127.0.0.1'),
    ),
    maxBytes: variable('HL7_MAX_BYTES', 'Largest HL7 message in bytes', whole(1024, 200 * MIB, 40 * MIB)),
    allowPlain: variable(
      'HL7_ALLOW_PLAIN',
      'Let MLLP listeners without TLS be bound to other addresses than those of this machine itself',
      flag,
    ),
    encryptionKeys: variable(
      'HL7_ENCRYPTION_KEY',
      'Key of 32 bytes in base64 that HL7 messages are kept encrypted with; several by commas: the first encrypts, all decrypt',
      aesKeys.optional(),
    ),
  },
  admin: {
    token: variable(
      'SUTURA_ADMIN_TOKEN',
      'Credential of the admin API; absent: the admin API is off',
      z.string().min(24).optional(),
    ),
  },
  limits: {
    readsPerS: variable('SUTURA_READS_PER_S', 'Reads per second and key', whole(1, 100_000, 20)),
    readBurst: variable('SUTURA_READ_BURST', 'Reads at once per key', whole(1, 100_000, 60)),
    writesPerS: variable('SUTURA_WRITES_PER_S', 'Writes per second and key; a Bundle is one', whole(1, 100_000, 100)),
    writeBurst: variable('SUTURA_WRITE_BURST', 'Writes at once per key', whole(1, 100_000, 300)),
    organizationWritesPerS: variable(
      'SUTURA_ORGANIZATION_WRITES_PER_S',
      'Writes per second of all keys of an organization',
      whole(1, 100_000, 300),
    ),
    organizationWriteBurst: variable(
      'SUTURA_ORGANIZATION_WRITE_BURST',
      'Writes at once of all keys of an organization',
      whole(1, 100_000, 900),
    ),
    bodiesMib: variable(
      'SUTURA_BODIES_MIB',
      'MiB of request bodies that the process holds at once, one organization half of it; larger bodies beyond it are answered 503',
      whole(128, 65_536, 256),
    ),
    organizationGib: variable(
      'SUTURA_ORGANIZATION_GIB',
      'GiB of photos and attachments that an organization may keep; 0: no limit. Documents of reports do not count, as a caller cannot do without them',
      whole(0, 1_000_000, 1000),
    ),
  },
};
