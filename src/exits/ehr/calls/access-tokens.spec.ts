import type { EhrPush } from '../../../core/ehrs/ehr.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { NoAssertionError, type EhrCaller, type PublishedKeys } from '../../../ehrs/index.js';
import type { PushingEhr } from '../settings/pushing-ehr.js';
import { AccessTokens } from './access-tokens.js';

const NOW = new Date('2026-03-10T08:00:00Z');
const EHR = {
  id: 'e1',
  organizationId: 'o1',
  fhirBaseUrl: 'https://ehr.example/fhir',
  updatedAt: NOW,
  launch: null,
  push: { auth: 'backend-services', clientId: 'sutura', scopes: ['system/Patient.rs'] } as Partial<EhrPush> as EhrPush,
} as Partial<PushingEhr> as PushingEhr;

const stated = Buffer.from(JSON.stringify({ token_endpoint: 'https://ehr.example/token' }));

it.each([
  ['takes neither of our algorithms', new NoAssertionError()],
  ['is of an organization without keys', new SuturaError('ehr.not_found')],
])('an EHR that %s is not asked, and no result is at fault', async (_what, fault) => {
  const ask = jest.fn(() => Promise.resolve({ status: 200, headers: {}, body: stated }));
  const caller: Pick<EhrCaller, 'ask'> = { ask };
  const keys: Pick<PublishedKeys, 'assert'> = { assert: () => Promise.reject(fault) };
  const tokens = new AccessTokens(caller as EhrCaller, keys as PublishedKeys, { now: () => NOW });
  await expect(tokens.of(EHR)).rejects.toMatchObject({ fault: 'token_unusable', mayHaveArrived: false });
  expect(ask).toHaveBeenCalledTimes(1);
});
