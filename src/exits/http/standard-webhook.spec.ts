import { createPublicKey, verify } from 'node:crypto';
import { Webhook } from '../../../test/support/standard-webhooks.js';
import { newWebhookKeys, signaturesOf, toPublicKeyText, toSecretText } from './standard-webhook.js';

const BODY = Buffer.from('{"type":"report.ready","data":{"note":"Wunde größer"}}');
const NOW_S = Math.floor(Date.now() / 1000);
const CONTENT = { id: '2f1c8e00-5a00-8000-9000-0000000000c1', timestampS: NOW_S, body: BODY };
const headersOf = (signature: string, timestampS = NOW_S) => ({
  'webhook-id': CONTENT.id,
  'webhook-timestamp': String(timestampS),
  'webhook-signature': signature,
});
/** The SubjectPublicKeyInfo of an ed25519 key (RFC 8410) ends with the key. */
const publicKeyOf = (text: string) =>
  createPublicKey({
    key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(text.slice(5), 'base64')]),
    format: 'der',
    type: 'spki',
  });

describe('a signature of ours', () => {
  const keys = newWebhookKeys();
  const receiver = new Webhook(toSecretText(keys.secret));

  it('is refused by the library of Standard Webhooks for another body, another id, another time and another secret', () => {
    const headers = headersOf(signaturesOf(CONTENT, ['v1'], [keys]));
    expect(() => receiver.verify(`${BODY.toString()} `, headers)).toThrow();
    expect(() => receiver.verify(BODY, { ...headers, 'webhook-id': 'another' })).toThrow();
    expect(() => receiver.verify(BODY, { ...headers, 'webhook-timestamp': String(NOW_S + 1) })).toThrow();
    expect(() => new Webhook(toSecretText(newWebhookKeys().secret)).verify(BODY, headers)).toThrow();
    const late = headersOf(signaturesOf({ ...CONTENT, timestampS: NOW_S - 600 }, ['v1'], [keys]), NOW_S - 600);
    expect(() => receiver.verify(BODY, late)).toThrow(/too old/);
  });

  it('is verified by that library, and is the one that it makes', () => {
    const signature = signaturesOf(CONTENT, ['v1'], [keys]);
    expect(receiver.verify(BODY, headersOf(signature))).toMatchObject({ type: 'report.ready' });
    expect(signature).toBe(receiver.sign(CONTENT.id, new Date(NOW_S * 1000), BODY));
  });

  it('is verified with the old secret and with the new one while both sign', () => {
    const newer = newWebhookKeys();
    const headers = headersOf(signaturesOf(CONTENT, ['v1', 'v1a'], [newer, keys]));
    expect(headers['webhook-signature'].split(' ').map((one) => one.split(',')[0])).toEqual(['v1', 'v1a', 'v1', 'v1a']);
    for (const { secret } of [keys, newer])
      expect(new Webhook(toSecretText(secret)).verify(BODY, headers)).toMatchObject({ type: 'report.ready' });
  });

  it('by ed25519 is verified with the public key, and refused for another body', () => {
    const [version, signature] = signaturesOf(CONTENT, ['v1a'], [keys]).split(',');
    const key = publicKeyOf(toPublicKeyText(keys.seed));
    const signed = (body: Buffer) => Buffer.concat([Buffer.from(`${CONTENT.id}.${NOW_S}.`), body]);
    expect(version).toBe('v1a');
    expect(verify(null, signed(Buffer.from('{}')), key, Buffer.from(signature!, 'base64'))).toBe(false);
    expect(verify(null, signed(BODY), key, Buffer.from(signature!, 'base64'))).toBe(true);
  });
});
