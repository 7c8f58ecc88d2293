import { ConfigurationError, WebhookVerificationError } from './errors.js';
import type { WebhookEvent } from './events.js';
import { loadTools } from './platform.js';

/** Of a web `Request`, of Node.js, or any object; names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

type Scheme = 'v1' | 'v1a';
interface Key {
  readonly scheme: Scheme;
  readonly bytes: Uint8Array;
}

const TOLERANCE_S = 300;
/** By the beginning of its text: HMAC-SHA256 takes 24 to 64 bytes (Standard Webhooks 1.0.0), ed25519 has 32. */
const KINDS = [
  { prefix: 'whsec_', scheme: 'v1', least: 24, most: 64 },
  { prefix: 'whpk_', scheme: 'v1a', least: 32, most: 32 },
] as const;

/**
 * The event of a webhook, once its signature is verified (Standard Webhooks 1.0.0). `payload`: the body as it came, before anything parsed it;
 * an empty one gives null. `secret`: `whsec_…`, or the public key `whpk_…` of an endpoint with the signature v1a; several while one takes the
 * place of another. Rejects with WebhookVerificationError for what was not signed with any of them, or more than 5 minutes ago; with
 * ConfigurationError for a secret that is none or is missing, and for a body that was parsed before it came here.
 *
 * @example
 * import { verifyWebhook, WebhookVerificationError } from '@sutura/sdk';
 *
 * const secret = 'whsec_c2hvd24gb25jZSwgbm90IGEgc2VjcmV0IG9mIGFueWJvZHk=';
 * const request = new Request('https://ward.example.org/sutura', { method: 'POST', body: '{}' });
 * try {
 *   const event = await verifyWebhook(await request.text(), request.headers, secret);
 *   console.log(event?.type, event?.data);
 * } catch (error) {
 *   if (!(error instanceof WebhookVerificationError)) throw error;
 *   console.log('answer 400');
 * }
 */
export async function verifyWebhook<Body = WebhookEvent>(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[] | undefined,
): Promise<Body | null> {
  const body = bytesOf(payload);
  const keys = keysOf(secret);
  if (headers === null || typeof headers !== 'object')
    throw new ConfigurationError('Give the headers of the request as the second argument: request.headers.');
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  ) as [string, string, string];
  if (id.includes('.') || !/^\d{1,12}$/.test(timestamp))
    throw refused('webhook-id or webhook-timestamp is no such thing');
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_S)
    throw refused('it is more than 5 minutes old, or the clock of this machine is wrong');
  const content = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const { isSigned } = await loadTools();
  let isTrue = false;
  // All of them: the time does not tell which one was right.
  for (const one of signatures.split(' ')) {
    const [scheme, signature = ''] = one.split(',', 2);
    for (const key of keys)
      if (key.scheme === scheme && (await isSigned(scheme, key.bytes, content, signature))) isTrue = true;
  }
  if (!isTrue) throw refused('none of its signatures is made with the secret');
  if (body.length === 0) return null;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as Body;
  } catch {
    throw refused('its body is no JSON');
  }
}

const RAW_BODY =
  'verifyWebhook needs the raw body, as text or bytes, before anything parsed it: the signature is over these bytes. Express: express.raw({ type: "application/json" }) on this route; Fastify: a content type parser with parseAs "buffer".';

/** Of another copy of Uint8Array too, as in a test runner. */
function bytesOf(payload: unknown): Uint8Array {
  if (typeof payload === 'string') return new TextEncoder().encode(payload);
  if (payload instanceof Uint8Array || Object.prototype.toString.call(payload) === '[object Uint8Array]')
    return payload as Uint8Array;
  if (payload instanceof ArrayBuffer) return new Uint8Array(payload);
  const came =
    payload === undefined || payload === null
      ? `${payload} came: nothing had read the body`
      : `${Array.isArray(payload) ? 'an array' : `a value of the type ${typeof payload}`} came: something had parsed the body`;
  throw new ConfigurationError(`${RAW_BODY} Here ${came}.`);
}

function keysOf(secret: unknown): Key[] {
  const texts = Array.isArray(secret) ? secret : [secret];
  if (texts.length === 0 || texts.some((text) => text === undefined || text === null || text === ''))
    throw new ConfigurationError(
      'No webhook secret: give the whsec_… that was shown when the webhook was made. Is the variable that holds it set?',
    );
  if (texts.some((text) => typeof text !== 'string'))
    throw new ConfigurationError('The secret of a webhook is a text, whsec_…, or a list of such texts.');
  return texts.map(keyOf);
}

function keyOf(text: string): Key {
  const kind = KINDS.find(({ prefix }) => text.startsWith(prefix));
  const base64 = kind === undefined ? '' : text.slice(kind.prefix.length).trim();
  const isBase64 = /^[\w+/-]+={0,2}$/.test(base64);
  const bytes = isBase64 ? Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)) : new Uint8Array();
  if (kind === undefined || bytes.length < kind.least || bytes.length > kind.most)
    throw new ConfigurationError('The secret of a webhook is whsec_… as it was shown once, or its public key whpk_….');
  return { scheme: kind.scheme, bytes };
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const found =
    typeof headers.get === 'function'
      ? (headers as { get(name: string): string | null }).get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  // Twice the same header: not from the service.
  if (typeof found !== 'string' || found === '') throw refused(`the header ${name} is missing`);
  return found;
}

function joined(head: Uint8Array, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

const refused = (why: string): WebhookVerificationError =>
  new WebhookVerificationError(`The webhook is refused: ${why}.`);
