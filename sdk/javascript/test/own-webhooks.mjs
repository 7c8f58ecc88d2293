// Webhooks, against the library of Standard Webhooks: it signs, ours verifies.
import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import * as sdk from '../dist/index.mjs';
import { printable } from './run-case.mjs';

const ID = '2f1c8e00-5a00-8000-9000-0000000000c1';
const BODY =
  '{"type":"report.ready","timestamp":"2026-01-05T08:00:00.000Z","data":{"note":"Wunde größer","sequence":1}}';
const newSecret = (bytes = 32) => `whsec_${randomBytes(bytes).toString('base64')}`;
const SECRET = newSecret();

function signedBy(secret, { body = BODY, ageS = 0, id = ID } = {}) {
  const at = new Date(Math.floor(Date.now() / 1000 - ageS) * 1000);
  const signature = new Webhook(secret).sign(id, at, body);
  return { 'webhook-id': id, 'webhook-timestamp': String(at.getTime() / 1000), 'webhook-signature': signature };
}
const refuses = (body, headers, secret = SECRET) =>
  assert.rejects(
    sdk.verifyWebhook(body, headers, secret),
    (fault) => fault instanceof sdk.WebhookVerificationError && !printable(fault).includes(secret.slice(8)),
  );

const SHARED = JSON.parse(readFileSync(new URL('../../contract/webhook-vectors.json', import.meta.url), 'utf8'));

async function at(now, work) {
  const real = Date.now;
  Date.now = () => Date.parse(now);
  try {
    return await work();
  } finally {
    Date.now = real;
  }
}

async function holds({ secrets, now, body, headers, outcome }) {
  const given = Object.fromEntries(Object.entries(headers).map(([name, all]) => [name, all.length > 1 ? all : all[0]]));
  const verified = () => at(now, () => sdk.verifyWebhook(body, given, secrets));
  if (outcome.throws === undefined) return assert.deepEqual(await verified(), outcome.event);
  return assert.rejects(verified, (fault) => fault.constructor.name === outcome.throws);
}

export const webhookCases = [
  ...SHARED.vectors.map((vector) => ({
    name: `webhook vectors: ${vector.name}`,
    run: () => holds({ ...SHARED.default, ...vector }),
  })),
  {
    name: 'refuses a webhook with another body, id, time or secret, an old one, and one whose header is missing, cut or there twice',
    run: async () => {
      const headers = signedBy(SECRET);
      const seconds = Number(headers['webhook-timestamp']);
      await refuses(`${BODY} `, headers);
      await refuses(BODY, headers, newSecret());
      await refuses(BODY, signedBy(SECRET, { ageS: 310 }));
      await refuses(BODY, signedBy(SECRET, { ageS: -310 }));
      await refuses('no JSON', signedBy(SECRET, { body: 'no JSON' }));
      await refuses(BODY, signedBy(SECRET, { id: 'a.b' }));
      for (const change of [
        { 'webhook-id': 'another' },
        { 'webhook-timestamp': String(seconds + 1) },
        { 'webhook-timestamp': `${seconds}.0` },
        { 'webhook-timestamp': '' },
        { 'webhook-id': undefined },
        { 'webhook-signature': undefined },
        { 'webhook-signature': [headers['webhook-signature'], headers['webhook-signature']] },
        { 'webhook-signature': headers['webhook-signature'].slice(0, -4) },
        { 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v1a,') },
        { 'webhook-signature': 'v1' },
      ])
        await refuses(BODY, { ...headers, ...change });
    },
  },
  {
    name: 'refuses a secret that is empty, short or none, and does not show it',
    run: async () => {
      for (const secret of ['', 'whsec_', 'whpk_', [], newSecret(8), 'hunter2hunter2hunter2hunter2', 'whsec_ä'])
        await assert.rejects(
          sdk.verifyWebhook(BODY, signedBy(SECRET), secret),
          (fault) => fault instanceof sdk.ConfigurationError && !printable(fault).includes('hunter2'),
        );
    },
  },
  {
    name: 'says in one sentence that a body was parsed or not read, and that a secret or the headers are missing',
    run: async () => {
      const headers = signedBy(SECRET);
      const says = (said, ...given) =>
        assert.rejects(
          sdk.verifyWebhook(...given),
          (fault) => fault instanceof sdk.ConfigurationError && said.test(fault.message),
        );
      await says(/raw body.*something had parsed the body/, JSON.parse(BODY), headers, SECRET);
      await says(/raw body.*something had parsed the body/, [], headers, SECRET);
      await says(/raw body.*undefined came: nothing had read/, undefined, headers, SECRET);
      await says(/raw body.*null came: nothing had read/, null, headers, SECRET);
      for (const secret of [undefined, null, '', [], [SECRET, undefined]])
        await says(/No webhook secret.*variable/, BODY, headers, secret);
      await says(/is a text/, BODY, headers, 12);
      await says(/headers of the request/, BODY, undefined, SECRET);
      assert.equal(
        (await sdk.verifyWebhook(new TextEncoder().encode(BODY).buffer, headers, SECRET)).type,
        'report.ready',
      );
    },
  },
  {
    name: 'gives the event of a webhook, whatever its headers come in, and null for an empty body',
    run: async () => {
      const headers = signedBy(SECRET);
      const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
      for (const form of [headers, upper, new Headers(headers)])
        assert.equal((await sdk.verifyWebhook(Buffer.from(BODY), form, SECRET)).data.note, 'Wunde größer');
      assert.equal((await sdk.verifyWebhook(BODY, signedBy(SECRET, { ageS: 290 }), SECRET)).type, 'report.ready');
      assert.equal(await sdk.verifyWebhook('', signedBy(SECRET, { body: '' }), SECRET), null);
    },
  },
  {
    name: 'takes any of several secrets, and any of several signatures',
    run: async () => {
      const [older, newer] = [newSecret(), newSecret()];
      const headers = signedBy(newer);
      const both = {
        ...headers,
        'webhook-signature': `v9,x ${signedBy(older)['webhook-signature']} ${headers['webhook-signature']}`,
      };
      assert.equal((await sdk.verifyWebhook(BODY, headers, [older, newer])).type, 'report.ready');
      assert.equal((await sdk.verifyWebhook(BODY, both, newer)).type, 'report.ready');
    },
  },
  {
    name: 'verifies v1a with the public key alone',
    run: async () => {
      const { privateKey, publicKey } = generateKeyPairSync('ed25519');
      const whpk = `whpk_${publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')}`;
      const headers = signedBy(SECRET);
      const signed = (body) =>
        sign(null, Buffer.from(`${ID}.${headers['webhook-timestamp']}.${body}`), privateKey).toString('base64');
      await refuses(BODY, { ...headers, 'webhook-signature': `v1a,${signed('{}')}` }, whpk);
      await refuses(BODY, { ...headers, 'webhook-signature': 'v1a,' }, whpk);
      const right = { ...headers, 'webhook-signature': `v1a,${signed(BODY)}` };
      assert.equal((await sdk.verifyWebhook(BODY, right, whpk)).type, 'report.ready');
    },
  },
];
