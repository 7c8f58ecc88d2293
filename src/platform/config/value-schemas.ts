import { z } from 'zod';
import { faultOfDatabaseUrl } from './database-url.js';

export const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');
export const onOrOff = z
  .enum(['on', 'off'])
  .default('on')
  .transform((text) => text === 'on');
export const httpUrl = z.url({
  protocol: /^https?$/,
  error: 'must be an http or https address, such as https://sutura.hospital.example',
});
export const whole = (min: number, max: number, fallback: number) => {
  const error = `must be a whole number from ${min} to ${max}, such as ${fallback}`;
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error }).default(fallback);
};
export const databaseUrl = z.string().superRefine((text, context) => {
  const message = faultOfDatabaseUrl(text);
  if (message !== null) context.addIssue({ code: 'custom', message });
});
/** By its name in the IANA database: an offset such as +02:00 is wrong for half of the year. */
export const timeZone = z
  .string()
  .max(64)
  .refine((text) => !/^[+-]/.test(text) && isTimeZone(text), { error: 'must be a time zone such as Europe/Berlin' });
export const folderName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9.-]*$/, { error: 'must be the name of a folder: small letters, digits, dots and dashes' });
export const listOf = <T extends string>(allowed: readonly T[], fallback: readonly T[]) =>
  z
    .string()
    .default(fallback.join(','))
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((parts) => parts.every((part) => (allowed as readonly string[]).includes(part)), {
      error: `takes ${allowed.join(', ')}, by commas`,
      abort: true,
    })
    .pipe(z.array(z.enum(allowed as readonly [T, ...T[]])).min(1));

export const networks = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
  .pipe(z.array(z.union([z.cidrv4(), z.cidrv6()], { error: 'must be networks such as 10.20.0.0/16, by commas' })));

const NOT_BLINDLY =
  'give the addresses or networks of the proxies: true, or a number of them, would believe whatever address a caller writes into X-Forwarded-For';

/** Fastify's `trustProxy` as a list alone (docs/decisions/0028). */
export const proxies = z
  .string()
  .default('false')
  .refine((text) => text !== 'true' && !/^\d+$/.test(text), { error: NOT_BLINDLY, abort: true })
  .transform((text) => (text === 'false' ? false : text.split(',').map((part) => part.trim())))
  .pipe(
    z.union(
      [
        z.literal(false),
        z.array(
          z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6(), z.enum(['loopback', 'linklocal', 'uniquelocal'])]),
        ),
      ],
      { error: 'takes addresses and networks by commas, such as 10.1.2.3, 10.0.0.0/28 or loopback' },
    ),
  );

/** `host:port` by commas; an IPv6 address in brackets. */
export const hostsAndPorts = z
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

/** Addresses of servers by commas, without names and passwords, which every log line would repeat. */
export const baseAddresses = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])))
  .pipe(z.array(httpUrl.refine((text) => !/[@?#]/.test(text), { error: 'must have neither a password nor a query' })));

/** Keys of AES-256, in base64. */
export const aesKeys = z
  .string()
  .transform((text) => text.split(',').map((part) => Buffer.from(part.trim(), 'base64')))
  .refine((keys) => keys.every((key) => key.length === 32), { error: 'each key must be 32 bytes in base64' });

/** Whether this runtime knows the IANA zone. */
export function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
