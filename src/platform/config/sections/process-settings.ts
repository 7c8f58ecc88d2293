import { z } from 'zod';
import { variable } from '../variable.js';
import { httpUrl, listOf, proxies, timeZone, whole } from '../value-schemas.js';

/** What a process can do: answer HTTP, analyse photos, send and take HL7 v2 messages. */
export const ROLES = ['api', 'worker', 'hl7'] as const;

/** What a process is, where it listens, and how much it takes on. */
export const PROCESS_SECTIONS = {
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
  tls: {
    certFile: variable(
      'TLS_CERT_FILE',
      'Certificate of the HTTP server, in PEM, those of its authorities behind it: the server then speaks https alone; read again when it changes',
      z.string().optional(),
    ),
    keyFile: variable(
      'TLS_KEY_FILE',
      'Private key of that certificate, in PEM; read again when it changes',
      z.string().optional(),
    ),
    minVersion: variable(
      'TLS_MIN_VERSION',
      'Oldest version of TLS that callers may speak',
      z.enum(['TLSv1.2', 'TLSv1.3']).default('TLSv1.2'),
    ),
    hstsMaxAgeS: variable(
      'HSTS_MAX_AGE_S',
      'Seconds for which browsers must come back by https, with TLS_CERT_FILE; 0: not stated',
      whole(0, 63_072_000, 31_536_000),
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
      z.coerce
        .number({ error: 'must be a number from 0 to 1' })
        .min(0, { error: 'must be a number from 0 to 1' })
        .max(1, { error: 'must be a number from 0 to 1' })
        .default(1),
    ),
  },
  reports: {
    paper: variable(
      'SUTURA_REPORT_PAPER',
      'Paper of reports that nobody asked another for: a4 or letter; over FHIR and HL7 v2 it is always this one',
      z.enum(['a4', 'letter']).default('a4'),
    ),
  },
  audit: {
    keyFile: variable(
      'SUTURA_AUDIT_KEY_FILE',
      'Ed25519 private key in PEM by which heads and exports of the audit trail are signed, the same for all processes; several: the first signs, the others verify; default: one made in the data folder',
      z.string().optional(),
    ),
  },
  admin: {
    token: variable(
      'SUTURA_ADMIN_TOKEN',
      'Credential of the admin API until there is an installation admin; absent: the admin API is for users alone, and off where there are none',
      z.string().min(24, { error: 'must have at least 24 characters: openssl rand -hex 24' }).optional(),
    ),
    sessionIdleMin: variable(
      'SUTURA_SESSION_IDLE_MIN',
      'Minutes after which an unused session of the admin API ends',
      whole(1, 1440, 30),
    ),
    sessionLifeH: variable(
      'SUTURA_SESSION_LIFE_H',
      'Hours after its login at which a session of the admin API ends, used or not',
      whole(1, 168, 12),
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
} as const;
