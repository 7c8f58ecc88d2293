import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { CALLER_FAULTS, startFakeEhr, type FakeEhr } from '../../../support/fake-ehr/index.js';

/** A CDS service that is as careful as CDS Hooks 2.0 wants it: what it was asked, and why it refused. */
class CarefulService {
  readonly asked: { readonly method: string; readonly path: string; readonly body: string }[] = [];
  readonly refused: string[] = [];
  private readonly used = new Set<string>();
  private server: Server | undefined;
  base = '';

  async start(ehr: FakeEhr): Promise<void> {
    const keys = createRemoteJWKSet(new URL(ehr.cds.jwksUrl));
    this.server = createServer((request, response) => {
      void (async () => {
        const body = await text(request);
        const url = `${this.base}${request.url!}`;
        const reason = await this.whyRefused(request.headers.authorization, url, ehr, keys);
        if (reason === null) this.asked.push({ method: request.method!, path: request.url!, body });
        else this.refused.push(reason);
        response.writeHead(reason === null ? 200 : 401, { 'content-type': 'application/json' }).end('{"cards":[]}');
      })();
    });
    await new Promise<void>((listening) => this.server!.listen(0, '127.0.0.1', listening));
    this.base = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server!.closeAllConnections();
    await new Promise((done) => this.server!.close(done));
  }

  private async whyRefused(
    authorization = '',
    url: string,
    ehr: FakeEhr,
    keys: ReturnType<typeof createRemoteJWKSet>,
  ): Promise<string | null> {
    const [, token] = /^Bearer (\S+)$/.exec(authorization) ?? [];
    if (token === undefined) return 'no token';
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        algorithms: ['ES384', 'RS384'],
        issuer: ehr.cds.issuer,
        typ: 'JWT',
        requiredClaims: ['exp', 'iat', 'jti', 'aud'],
        maxTokenAge: '10m',
      });
      if (protectedHeader.kid === undefined) return 'kid';
      if (protectedHeader.jku !== ehr.cds.jwksUrl) return 'jku';
      if (payload.aud !== url) return 'aud';
      if (this.used.has(payload.jti!)) return 'jti';
      this.used.add(payload.jti!);
      return null;
    } catch (fault) {
      return String(fault);
    }
  }
}

describe('the caller of CDS services', () => {
  let ehr: FakeEhr;
  let service: CarefulService;

  beforeAll(async () => {
    ehr = await startFakeEhr();
    service = new CarefulService();
    await service.start(ehr);
  });

  afterAll(async () => {
    await service.stop();
    await ehr.stop();
  });

  it.each(CALLER_FAULTS)('calls wrongly as asked: %s', async (fault) => {
    const { status } = await ehr.cds.ask(service.base, 'a-service', { hook: 'patient-view' }, fault);
    expect(status).toBe(401);
  });

  it('calls discovery, a service and its feedback, each by a token of its own', async () => {
    service.asked.length = 0;
    const answers = [
      await ehr.cds.discover(service.base),
      await ehr.cds.ask(service.base, 'a-service', { hook: 'patient-view', context: { patientId: '1' } }),
      await ehr.cds.tell(service.base, 'a-service', [{ card: '1', outcome: 'accepted' }]),
    ];
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [200, { cards: [] }]));
    expect(service.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /cds-services',
      'POST /cds-services/a-service',
      'POST /cds-services/a-service/feedback',
    ]);
    expect(JSON.parse(service.asked[1]!.body)).toMatchObject({
      hookInstance: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });
});
