import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';

export const ROLES = ['api', 'worker', 'hl7'] as const;
export type Role = (typeof ROLES)[number];

export const EXECUTION_PROVIDERS = ['cuda', 'webgpu', 'cpu'] as const;
export type ExecutionProvider = (typeof EXECUTION_PROVIDERS)[number];

const MIB = 1024 * 1024;

const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');
const whole = (min: number, max: number, fallback: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback);
const folderName = z.string().regex(/^[a-z0-9][a-z0-9.-]*$/);
const listOf = <T extends string>(allowed: readonly T[], fallback: readonly T[]) =>
  z
    .string()
    .default(fallback.join(','))
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(z.enum(allowed as readonly [T, ...T[]])).min(1));

const networks = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
  .pipe(z.array(z.union([z.cidrv4(), z.cidrv6()])));

const NOT_BLINDLY =
  'give the addresses or networks of the proxies: true, or a number of them, would believe whatever address a caller writes into X-Forwarded-For';

/** Fastify's `trustProxy` as a list alone (docs/decisions/0028). */
const proxies = z
  .string()
  .default('false')
  .refine((text) => text !== 'true' && !/^\d+$/.test(text), { error: NOT_BLINDLY, abort: true })
  .transform((text) => (text === 'false' ? false : text.split(',').map((part) => part.trim())))
  .pipe(
    z.union([
      z.literal(false),
      z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6(), z.enum(['loopback', 'linklocal', 'uniquelocal'])])),
    ]),
  );

/** `host:port` by commas; an IPv6 address in brackets. */
const hostsAndPorts = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(
    z.array(z.string().regex(/^(\[[0-9a-f:.]+\]|[^\s:/@[\]]+):\d{1,5}$/i, { error: 'each must be host:port' })).min(1),
  )
  .transform((parts) =>
    parts.map((part) => ({
      host: part.slice(0, part.lastIndexOf(':')).replace(/^\[|\]$/g, ''),
      port: Number(part.slice(part.lastIndexOf(':') + 1)),
    })),
  );

/** Keys of AES-256, in base64. */
const aesKeys = z
  .string()
  .transform((text) => text.split(',').map((part) => Buffer.from(part.trim(), 'base64')))
  .refine((keys) => keys.every((key) => key.length === 32), { error: 'each key must be 32 bytes in base64' });

/** Every variable the gateway reads, with its limits and default. docs/operations.md carries the same list; a test compares them. */
export const ENVIRONMENT_SCHEMA = z.object({
  PORT: whole(0, 65535, 3000).describe('TCP port of the HTTP server; 0 takes a free one'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Base of the absolute URLs that are handed out; default http://HOST:PORT'),
  TRUST_PROXY: proxies.describe(
    'Reverse proxies in front whose X-Forwarded-For is believed: their addresses and networks by commas, such as 10.1.2.3, 10.0.0.0/8 or loopback; false: none',
  ),
  SUTURA_DATA_DIR: z.string().default('.data').describe('Folder of the embedded database and of local storage'),
  SUTURA_ROLES: listOf(ROLES, ROLES).describe('What this process does: any of api, worker and hl7'),
  SUTURA_LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Least level that is logged'),

  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//)
    .optional()
    .describe('PostgreSQL to use instead of the embedded one'),
  SUTURA_DATABASE_POOL: whole(2, 200, 16).describe(
    'Connections for callers; workers and sweeps have a quarter of this besides',
  ),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: 'must be redis://… or, with TLS, rediss://…' })
    .refine((text) => /^rediss?:\/\/[^/?#]+(\/\d{0,5})?$/i.test(text), {
      error: 'takes a host, a port, a user with a password and the number of a database, and no parameters',
    })
    .optional()
    .describe(
      'Redis for Bull, with TLS where it begins with rediss://; without it jobs are dispatched through PostgreSQL',
    ),
  REDIS_CA_FILE: z
    .string()
    .optional()
    .describe('Certificates of the authorities that a Redis with TLS is trusted by, in PEM; default: those of Node.js'),
  REDIS_SENTINELS: hostsAndPorts
    .optional()
    .describe(
      'Redis Sentinels as host:port, by commas; REDIS_URL then names the group of servers in the place of the host',
    ),
  REDIS_SENTINEL_PASSWORD: z.string().optional().describe('Password of the Sentinels, where they have one'),

  SUTURA_STORAGE: z.enum(['local', 's3']).default('local').describe('Where photos and artifacts lie'),
  S3_BUCKET: z.string().optional().describe('Bucket, for SUTURA_STORAGE=s3'),
  S3_REGION: z.string().default('us-east-1').describe('Region of the bucket'),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of an S3-compatible service'),
  S3_PUBLIC_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address at which clients reach that service, for uploads and downloads; default: S3_ENDPOINT'),
  S3_CONDITIONAL_PUT: z
    .enum(['auto', 'on', 'off'])
    .default('auto')
    .describe(
      'Whether uploads carry If-None-Match, which makes an address good for one photo; auto: as a trial at start says',
    ),
  S3_ACCESS_KEY_ID: z.string().optional().describe('S3 access key; default: the AWS SDK’s own sources'),
  S3_SECRET_ACCESS_KEY: z.string().optional().describe('S3 secret key'),
  S3_FORCE_PATH_STYLE: flag.describe('Address buckets as a path, as most S3-compatible services want'),
  SUTURA_MIN_FREE_MIB: whole(0, 1_000_000, 512).describe(
    'Free space of the data folder below which the process is not ready',
  ),
  SUTURA_UPLOAD_LIFE_S: whole(10, 86_400, 900).describe('Life of a signed upload URL in seconds'),
  SUTURA_MAX_IMAGE_BYTES: whole(1024, 200 * MIB, 20 * MIB).describe('Largest photo in bytes'),
  SUTURA_MAX_IMAGE_PIXELS: whole(4096, 200_000_000, 50_000_000).describe('Largest photo in pixels'),

  SUTURA_MODELS_DIR: z.string().default('models').describe('Folder of the models'),
  SUTURA_SEGMENTATION_MODEL: folderName
    .default('fast')
    .describe('Model that outlines: fast, accurate or a folder name'),
  SUTURA_TISSUE_MODEL: folderName
    .default('auto')
    .describe('Model that tells tissues apart: auto (the newest, where there is one), none or a folder name'),
  SUTURA_EXECUTION_PROVIDERS: listOf(EXECUTION_PROVIDERS, ['cpu']).describe(
    'ONNX execution providers, in the order they are tried',
  ),
  SUTURA_WORKER_PROCESSES: whole(1, 64, Math.max(1, cpus().length)).describe('Inference processes'),
  SUTURA_INTRA_OP_THREADS: whole(1, 64, 1).describe('Threads of one inference process'),
  SUTURA_BATCH_SIZE: whole(1, 64, 8).describe('Most images in one run on a GPU; CPU runs are single'),
  SUTURA_BATCH_DELAY_MS: whole(0, 1000, 10).describe('Longest wait for a batch to fill, on a GPU'),
  SUTURA_LEASE_S: whole(2, 600, 60).describe('Seconds after which a silent worker loses its job'),
  SUTURA_JOB_TIMEOUT_MS: whole(100, 600_000, 60_000).describe('Longest processing of one job'),
  SUTURA_WORKER_MAX_RSS_MIB: whole(128, 65_536, 1024).describe('Memory at which an inference process is replaced'),
  SUTURA_SWEEP_INTERVAL_MS: whole(100, 60_000, 5000).describe('Interval of the search for lost jobs'),
  SUTURA_ALLOW_RESEARCH_MODEL: flag.describe('Allow live jobs on a research-only model'),
  SUTURA_PUSH_SCORE: flag.describe(
    'Add PUSH Tool 3.0 sub-scores to results; the tool is the NPIAP’s, whose permission the operator needs',
  ),

  SUTURA_FETCH_NETWORKS: networks.describe(
    'Networks inside, such as 10.20.0.0/16, that photos may be fetched from beside the public internet; hosts are listed for each organization',
  ),
  FHIR_SNOMED: z
    .enum(['on', 'off'])
    .default('on')
    .transform((text) => text === 'on')
    .describe(
      'Add SNOMED CT codes to FHIR resources, for which the country of use needs a licence; off: LOINC and local codes only',
    ),
  FHIR_STYLE: z
    .enum(['discrete', 'skin-wound-ig'])
    .default('discrete')
    .describe('discrete: an Observation for each measure; skin-wound-ig: as the HL7 skin and wound guide has them'),
  FHIR_PHOTO_AS: z
    .enum(['media', 'documentreference', 'both'])
    .default('media')
    .describe('As what a photo that came in natively is shown over FHIR'),
  FHIR_REQUIRE_IF_MATCH: flag.describe('Refuse FHIR updates and patches without If-Match'),
  FHIR_MAX_INLINE_BYTES: whole(1024, 48 * MIB, 20 * MIB).describe(
    'Largest attachment inside a FHIR resource, in bytes once decoded',
  ),

  HL7_PORT: whole(0, 65535, 2575).describe(
    'MLLP port of the demo organization, which only the embedded database has; 0 takes a free one',
  ),
  HL7_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address that MLLP listeners are bound to unless theirs says otherwise'),
  HL7_MAX_BYTES: whole(1024, 200 * MIB, 40 * MIB).describe('Largest HL7 message in bytes'),
  HL7_ALLOW_PLAIN: flag.describe(
    'Let MLLP listeners without TLS be bound to other addresses than those of this machine itself',
  ),
  HL7_ENCRYPTION_KEY: aesKeys
    .optional()
    .describe(
      'Key of 32 bytes in base64 that HL7 messages are kept encrypted with; several by commas: the first encrypts, all decrypt',
    ),

  SUTURA_ADMIN_TOKEN: z
    .string()
    .min(24)
    .optional()
    .describe('Credential of the admin API; absent: the admin API is off'),
  SUTURA_READS_PER_S: whole(1, 100_000, 20).describe('Reads per second and key'),
  SUTURA_READ_BURST: whole(1, 100_000, 60).describe('Reads at once per key'),
  SUTURA_WRITES_PER_S: whole(1, 100_000, 100).describe('Writes per second and key; a Bundle is one'),
  SUTURA_WRITE_BURST: whole(1, 100_000, 300).describe('Writes at once per key'),
  SUTURA_ORGANIZATION_WRITES_PER_S: whole(1, 100_000, 300).describe('Writes per second of all keys of an organization'),
  SUTURA_ORGANIZATION_WRITE_BURST: whole(1, 100_000, 900).describe('Writes at once of all keys of an organization'),
  SUTURA_BODIES_MIB: whole(128, 65_536, 256).describe(
    'MiB of request bodies that the process holds at once, one organization half of it; larger bodies beyond it are answered 503',
  ),
  SUTURA_ORGANIZATION_GIB: whole(0, 1_000_000, 1000).describe(
    'GiB of photos and attachments that an organization may keep; 0: no limit',
  ),
});

export type Environment = z.infer<typeof ENVIRONMENT_SCHEMA>;

/** The typed settings of one process. Abstract so that it can stand as an injection token. */
export abstract class Settings {
  readonly environment: Environment;
  /** No trailing slash; known only once the server listens where PORT is 0 and PUBLIC_URL absent. */
  publicUrl: string;
  readonly dataDir: string;
  readonly modelsDir: string;
}

/** A variable that cannot be used: the start stops with this, by name. */
export class SettingsError extends Error {}

/** Reads and checks the environment once. Throws SettingsError naming every bad variable; values are not repeated. */
export function readSettings(variables: NodeJS.ProcessEnv, workingDir = process.cwd()): Settings {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = ENVIRONMENT_SCHEMA.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new SettingsError(`These settings cannot be used:\n  ${lines.join('\n  ')}`);
  }
  const environment = parsed.data;
  const lacking = lackingSettings(environment);
  if (lacking.length > 0) throw new SettingsError(`These settings cannot be used:\n  ${lacking.join('\n  ')}`);
  const base = environment.PUBLIC_URL ?? `http://${hostOf(environment.HOST)}:${environment.PORT}`;
  return {
    environment,
    publicUrl: base.replace(/\/+$/, ''),
    dataDir: resolve(workingDir, environment.SUTURA_DATA_DIR),
    modelsDir: resolve(workingDir, environment.SUTURA_MODELS_DIR),
  };
}

/** What one setting needs of another. */
function lackingSettings(environment: Environment): readonly string[] {
  const { SUTURA_STORAGE, S3_BUCKET, REDIS_URL, REDIS_CA_FILE, REDIS_SENTINELS } = environment;
  return [
    ...(SUTURA_STORAGE === 's3' && S3_BUCKET === undefined ? ['S3_BUCKET: needed with SUTURA_STORAGE=s3'] : []),
    ...(REDIS_CA_FILE !== undefined && REDIS_URL?.startsWith('rediss:') !== true
      ? ['REDIS_CA_FILE: needs a REDIS_URL that begins with rediss://']
      : []),
    ...(REDIS_SENTINELS !== undefined && REDIS_URL === undefined
      ? ['REDIS_SENTINELS: needs a REDIS_URL that names the group of servers']
      : []),
  ];
}

/** The host of an address to reach a server that is bound to `HOST` (RFC 3986 3.2.2). */
function hostOf(boundTo: string): string {
  if (boundTo === '0.0.0.0') return '127.0.0.1';
  if (boundTo === '::') return '[::1]';
  return boundTo.includes(':') ? `[${boundTo.split('%')[0]}]` : boundTo;
}

/** Whether callers of other machines get through to this one: it is bound to more than loopback, or has a public address. */
export function isReachableFromElsewhere({
  environment: { HOST, PUBLIC_URL },
}: Pick<Settings, 'environment'>): boolean {
  const hosts = [HOST, ...(PUBLIC_URL === undefined ? [] : [new URL(PUBLIC_URL).hostname.replace(/^\[|\]$/g, '')])];
  return hosts.some((host) => !/^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host));
}
