import { resolve } from 'node:path';
import { z } from 'zod';
import { EXECUTION_PROVIDERS, ROLES, SECTIONS } from './settings-schema.js';

export type Role = (typeof ROLES)[number];
export type ExecutionProvider = (typeof EXECUTION_PROVIDERS)[number];

type Sections = typeof SECTIONS;
type Section<Name extends keyof Sections> = {
  readonly [Key in keyof Sections[Name]]: Sections[Name][Key] extends { readonly schema: infer S extends z.ZodType }
    ? z.output<S>
    : never;
};

/** The settings of one process, by section; read at start and never changed. Abstract so that it can stand as an injection token. */
export abstract class Settings implements Readonly<{ [Name in keyof Sections]: Section<Name> }> {
  readonly http: Section<'http'>;
  readonly tls: Section<'tls'>;
  /** `dataDir` is an absolute path. */
  readonly process: Section<'process'>;
  readonly tracing: Section<'tracing'>;
  readonly reports: Section<'reports'>;
  readonly database: Section<'database'>;
  readonly redis: Section<'redis'>;
  readonly storage: Section<'storage'>;
  readonly encryption: Section<'encryption'>;
  readonly s3: Section<'s3'>;
  readonly images: Section<'images'>;
  /** `dir` is an absolute path. */
  readonly models: Section<'models'>;
  readonly engine: Section<'engine'>;
  readonly workers: Section<'workers'>;
  readonly fhir: Section<'fhir'>;
  readonly hl7: Section<'hl7'>;
  readonly ehrs: Section<'ehrs'>;
  readonly deliveries: Section<'deliveries'>;
  readonly audit: Section<'audit'>;
  readonly admin: Section<'admin'>;
  readonly console: Section<'console'>;
  readonly oidc: Section<'oidc'>;
  readonly limits: Section<'limits'>;
}

/** A variable that cannot be used: the start stops with this, by name. */
export class SettingsError extends Error {}

const VARIABLES: readonly { readonly name: string; readonly schema: z.ZodType }[] = Object.values(SECTIONS).flatMap(
  (section) => Object.values(section),
);

/** The names of all settings. */
export const SETTING_NAMES: readonly string[] = VARIABLES.map(({ name }) => name);

/** The names of those settings that are set here. */
export function settingNames(variables: NodeJS.ProcessEnv): readonly string[] {
  return VARIABLES.flatMap(({ name }) => ((variables[name] ?? '') === '' ? [] : [name]));
}

const ENVIRONMENT = z.object(Object.fromEntries(VARIABLES.map(({ name, schema }) => [name, schema])));

const OF_THE_VALIDATOR = /^(Invalid|Too |Unrecognized|Expected)/;

/** Reads and checks the environment once. Throws SettingsError naming every bad variable; values are not repeated. */
export function readSettings(variables: NodeJS.ProcessEnv, workingDir = process.cwd()): Settings {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = ENVIRONMENT.safeParse(given);
  if (!parsed.success) throw unusable(parsed.error.issues.map(sentenceOf));
  const settings = bySection(parsed.data, workingDir);
  const lacking = lackingSettings(settings);
  if (lacking.length > 0) throw unusable(lacking);
  return settings;
}

/** In our words, wherever a schema has none of its own. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  const [name] = issue.path.map(String);
  if (!OF_THE_VALIDATOR.test(issue.message)) return `${name}: ${issue.message}`;
  const allowed = 'values' in issue ? issue.values.map(String).join(', ') : '';
  return `${name}: ${allowed === '' ? 'is not written as docs/settings.md says' : `must be one of ${allowed}`}`;
}

function unusable(lines: readonly string[]): SettingsError {
  return new SettingsError(`These settings cannot be used:\n  ${lines.join('\n  ')}`);
}

function bySection(values: Readonly<Record<string, unknown>>, workingDir: string): Settings {
  const folders = new Set([SECTIONS.process.dataDir.name, SECTIONS.models.dir.name]);
  const valueOf = (name: string) => (folders.has(name) ? resolve(workingDir, values[name] as string) : values[name]);
  const sections = Object.entries(SECTIONS).map(([section, variables]) => [
    section,
    Object.freeze(Object.fromEntries(Object.entries(variables).map(([key, { name }]) => [key, valueOf(name)]))),
  ]);
  return Object.freeze(Object.fromEntries(sections)) as Settings;
}

/** Needs of one setting that another does not meet. */
function lackingSettings({ tls, encryption, storage, s3, redis, models, engine, oidc }: Settings): readonly string[] {
  return [
    ...((tls.certFile === undefined) !== (tls.keyFile === undefined)
      ? ['TLS_CERT_FILE and TLS_KEY_FILE: each needs the other']
      : []),
    ...(encryption.keyCommand !== undefined && encryption.keyFile !== undefined
      ? ['SUTURA_ENCRYPTION_KEY_COMMAND: takes the place of SUTURA_ENCRYPTION_KEY_FILE; set one of the two']
      : []),
    ...(storage.driver === 's3' && s3.bucket === undefined ? ['S3_BUCKET: needed with SUTURA_STORAGE=s3'] : []),
    ...(s3.kmsKeyId !== undefined && s3.encryption !== 'aws:kms' ? ['S3_KMS_KEY_ID: needs S3_ENCRYPTION=aws:kms'] : []),
    ...(redis.caFile !== undefined && redis.url?.startsWith('rediss:') !== true
      ? ['REDIS_CA_FILE: needs a REDIS_URL that begins with rediss://']
      : []),
    ...(redis.sentinels !== undefined && redis.url === undefined
      ? ['REDIS_SENTINELS: needs a REDIS_URL that names the group of servers']
      : []),
    ...(models.executionProviders.includes('remote') && engine.urls.length === 0
      ? ['SUTURA_INFERENCE_URL: needed with remote in SUTURA_EXECUTION_PROVIDERS']
      : []),
    ...(oidc.issuer !== undefined && (oidc.clientId === undefined || oidc.roles.length === 0)
      ? ['SUTURA_OIDC_ISSUER: needs SUTURA_OIDC_CLIENT_ID and SUTURA_OIDC_ROLES']
      : []),
  ];
}

/** True where callers on other machines get through to this one: it is bound to more than loopback, or has a public address. */
export function isReachableFromElsewhere({ http: { host, publicUrl } }: Pick<Settings, 'http'>): boolean {
  const hosts = [host, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')])];
  return hosts.some((each) => !/^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(each));
}
