import { createHmac } from 'node:crypto';
import type { LoggedEvent } from '../event-log.js';
import type { AbortSignalLike } from '../options.js';
import type { Time } from '../time.js';
import { Failure, Misuse } from './misuse.js';
import { note, say } from './printing.js';

/** As long as the service waits for a receiver. */
const PATIENCE_MS = 20_000;
const PAUSES_MS = [1000, 2000, 5000, 10_000, 30_000];
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export interface Receiver {
  readonly url: URL;
  /** `whsec_…`. */
  readonly secret: string;
}

/** Misuse for what is no address of the web, and with a live key for one that goes over a network in the clear. */
export function receiverAddress(text: string | undefined, isTest: boolean): URL {
  let url: URL;
  try {
    url = new URL(text ?? '');
  } catch {
    throw new Misuse('--forward-to takes the address of your receiver, such as http://localhost:8080/sutura.');
  }
  if (!/^https?:$/.test(url.protocol) || `${url.username}${url.password}` !== '')
    throw new Misuse('--forward-to takes an http or https address without user and password.');
  if (!isTest && url.protocol !== 'https:' && !LOOPBACK.test(url.hostname))
    throw new Misuse('Live events are forwarded to this machine, or over https.');
  return url;
}

/** The bytes of the key behind `whsec_`. Misuse for a secret that is none. */
export function keyOfSecret(secret: string): Buffer {
  const base64 = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : '';
  const key = Buffer.from(base64, 'base64');
  if (!/^[\w+/-]+={0,2}$/.test(base64) || key.length < 24 || key.length > 64)
    throw new Misuse('SUTURA_WEBHOOK_SECRET is not whsec_ with the base64 of 24 to 64 bytes.');
  return key;
}

/** The headers of Standard Webhooks 1.0.0, as the service sends them. */
export function signedHeaders(id: string, body: string, key: Uint8Array, nowMs: number): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'Sutura-Webhooks/1.0',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}

/** The body of a webhook with the content `ids`. */
export function bodyOf({ type, timestamp, data }: LoggedEvent, sequence: number): string {
  return JSON.stringify({ type, timestamp, data: { ...data, sequence } });
}

/** Forwards one event until the receiver takes it: those behind it wait, as with a webhook. Failure for 410, by which it says that it wants none. */
export async function forward(
  { url, secret }: Receiver,
  event: LoggedEvent,
  sequence: number,
  { time, signal }: { readonly time: Time; readonly signal: AbortSignalLike },
): Promise<void> {
  const body = bodyOf(event, sequence);
  const key = keyOfSecret(secret);
  for (let tries = 0; ; tries += 1) {
    // Signed anew each time: a receiver refuses what is older than five minutes.
    const answer = await post(url, body, signedHeaders(event.id, body, key, time.now()), signal);
    const line = `${event.recordedAt} ${event.type.padEnd(18)} ${event.id} -> ${answer}`;
    if (/^2\d\d$/.test(answer)) {
      say(line);
      return;
    }
    if (answer === '410') {
      note(line);
      throw new Failure('The receiver answered 410: it wants no events. This one comes first when you listen again.');
    }
    const pauseMs = PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)] ?? 0;
    note(`${line}, again in ${pauseMs / 1000} s`);
    await time.sleep(pauseMs, signal);
  }
}

/** The status, or what kept it from coming. Redirects are not followed. */
async function post(
  url: URL,
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignalLike,
): Promise<string> {
  const late = AbortSignal.timeout(PATIENCE_MS);
  const ended = new AbortController();
  const end = (): void => ended.abort();
  signal.addEventListener('abort', end);
  late.addEventListener('abort', end);
  try {
    const answer = await fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal: ended.signal });
    await answer.body?.cancel();
    return String(answer.status);
  } catch (fault) {
    if (signal.aborted) throw signal.reason;
    if (late.aborted) return `no answer within ${PATIENCE_MS / 1000} s`;
    const { cause } = fault as { cause?: { code?: unknown } };
    return `not reached (${typeof cause?.code === 'string' ? cause.code : 'no connection'})`;
  } finally {
    signal.removeEventListener('abort', end);
    late.removeEventListener('abort', end);
  }
}
