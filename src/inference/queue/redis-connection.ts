import { readFileSync } from 'node:fs';
import type { QueueOptions } from 'bull';
import { SettingsError, type Settings } from '../../platform/config/settings.js';

type RedisOptions = Exclude<QueueOptions['redis'], string | undefined>;

const RECONNECT_STEP_MS = 200;
const LONGEST_RECONNECT_MS = 2000;
const DEFAULT_PORT = 6379;

/**
 * The connection to Redis. Bull does not read the address itself: it takes `rediss:` for `redis:` and would send the password in clear text.
 * With `REDIS_SENTINELS` the host of the address is the name of the group. SettingsError where the file of authorities cannot be read.
 */
export function redisConnection(settings: Settings['redis'] & { readonly url: string }): RedisOptions {
  const url = new URL(settings.url);
  const host = decodeURIComponent(url.hostname.replace(/^\[|\]$/g, ''));
  const encrypted = url.protocol === 'rediss:';
  const tls = encrypted
    ? { ...(settings.caFile === undefined ? {} : { ca: readAuthorities(settings.caFile) }) }
    : undefined;
  const sentinels = settings.sentinels;
  return {
    ...(sentinels === undefined
      ? { host, port: url.port === '' ? DEFAULT_PORT : Number(url.port) }
      : { sentinels, name: host }),
    ...(sentinels !== undefined && settings.sentinelPassword !== undefined
      ? { sentinelPassword: settings.sentinelPassword }
      : {}),
    ...(url.username === '' ? {} : { username: decodeURIComponent(url.username) }),
    ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
    db: Number(url.pathname.slice(1)),
    ...(tls === undefined ? {} : { tls }),
    // Sentinels are encrypted, too: one in clear text could name any server.
    ...(tls === undefined || sentinels === undefined ? {} : { enableTLSForSentinelMode: true, sentinelTLS: tls }),
    connectTimeout: LONGEST_RECONNECT_MS,
    maxRetriesPerRequest: 1,
    retryStrategy: pauseBefore,
    sentinelRetryStrategy: pauseBefore,
  };
}

function pauseBefore(times: number): number {
  return Math.min(times * RECONNECT_STEP_MS, LONGEST_RECONNECT_MS);
}

function readAuthorities(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new SettingsError(
      `These settings cannot be used:\n  REDIS_CA_FILE: the file cannot be read (${String((error as NodeJS.ErrnoException).code)})`,
    );
  }
}
