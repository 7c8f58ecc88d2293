import { exportJWK, generateKeyPair, SignJWT, jwtVerify } from 'jose';
import type { EhrAnswer } from './ehr-caller.js';
import { EhrKeySets } from './ehr-key-sets.js';

const EHR = { id: 'e', fhirBaseUrl: 'https://ehr.example', origins: [] };
const URL_OF_KEYS = 'https://ehr.example/keys';

describe('the kept keys of an EHR', () => {
  let nowMs: number;
  let keys: object[];
  let isDown: boolean;
  let asked: number;
  let sets: EhrKeySets;

  beforeEach(() => {
    [nowMs, keys, isDown, asked] = [1_800_000_000_000, [], false, 0];
    const ask = (): Promise<EhrAnswer> => {
      asked += 1;
      return isDown
        ? Promise.reject(new Error('down'))
        : Promise.resolve({
            status: 200,
            headers: { 'cache-control': 'max-age=600' },
            body: Buffer.from(JSON.stringify({ keys })),
          });
    };
    sets = new EhrKeySets({ ask }, { now: () => new Date(nowMs) }, { error: () => undefined });
  });

  async function keyOf(kid: string) {
    const pair = await generateKeyPair('ES384');
    const token = await new SignJWT().setProtectedHeader({ alg: 'ES384', kid }).sign(pair.privateKey);
    return { jwk: { ...(await exportJWK(pair.publicKey)), kid }, token };
  }
  const verify = (token: string) =>
    jwtVerify(token, sets.of(EHR, URL_OF_KEYS), { currentDate: new Date(nowMs) }).then(
      () => 'taken',
      (fault: { code?: string }) => fault.code,
    );

  it('hold as long as the EHR said, though a stranger has them asked for again and no answer comes', async () => {
    const [own, strange] = [await keyOf('own'), await keyOf('strange')];
    keys = [own.jwk];
    expect(await verify(own.token)).toBe('taken');
    isDown = true;
    nowMs += 60_000;
    expect(await verify(strange.token)).toBe('ERR_JWKS_NO_MATCHING_KEY');
    expect(asked).toBe(2);
    expect(await verify(own.token)).toBe('taken');
    // Not at each call of the stranger.
    expect(await verify(strange.token)).toBe('ERR_JWKS_NO_MATCHING_KEY');
    expect(asked).toBe(2);
  });

  it('are none once their time is over and no answer comes, and are there again with the EHR', async () => {
    const own = await keyOf('own');
    keys = [own.jwk];
    expect(await verify(own.token)).toBe('taken');
    [isDown, nowMs] = [true, nowMs + 601_000];
    expect(await verify(own.token)).toBe('ERR_JWKS_NO_MATCHING_KEY');
    [isDown, nowMs] = [false, nowMs + 11_000];
    expect(await verify(own.token)).toBe('taken');
  });
});
