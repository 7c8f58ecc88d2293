import { send } from '../support/api-client.js';
import { drawWoundPhoto } from '../support/wound-photo.js';
import { AbuseGround, MEMORY_LIMIT_MIB, WAIT_LIMIT_MS } from './abuse-ground.js';
import type { HostileInput } from './hostile-inputs.js';

/** The tests of these inputs: each is answered as it should be, nobody else waits, and the process is the same as before. */
export function describeHostileCaller(inputs: readonly HostileInput[]): void {
  describe('a hostile caller', () => {
    let ground: AbuseGround;
    let patientId: string;
    let reportId: string;

    beforeAll(async () => {
      ground = await AbuseGround.start();
      const created = await ground.client.request('POST', '/fhir/Patient', {
        json: { resourceType: 'Patient', name: [{ family: 'Example', given: ['A', 'B'] }] },
      });
      patientId = created.body.id as string;
      const { links } = (await ground.client.analyse(await drawWoundPhoto())) as { links: { report: string } };
      reportId = links.report.split('/').at(-1)!;
    });

    afterAll(() => ground.stop());

    async function presentVersion(): Promise<Record<string, string>> {
      return { 'if-match': (await ground.client.request('GET', `/api/v1/reports/${reportId}`)).headers.get('etag')! };
    }

    async function perform({ method, path, type, body }: HostileInput): Promise<number> {
      const bytes = Buffer.from(body().replaceAll('{patient}', patientId));
      const headers: Record<string, string> = {
        ...(type === undefined ? {} : { 'content-type': type }),
        ...(path.includes('{report}') ? await presentVersion() : {}),
      };
      const { status } = await send(
        method,
        `${ground.gateway.baseUrl}${path.replace('{patient}', patientId).replace('{report}', reportId)}`,
        { key: ground.client.key, headers, bytes, timeoutMs: 60_000 },
      );
      return status;
    }

    it.each(inputs.map((input) => [input.what, input] as const))(
      'is answered, and nobody waits for %s',
      async (_, input) => {
        const { answer, waiting } = await ground.during(() => perform(input));
        expect(input.answers).toContain(answer);
        expect(waiting.failures).toBe(0);
        expect(waiting.slowestMs).toBeLessThan(WAIT_LIMIT_MS);
        expect(ground.isSameProcess).toBe(true);
      },
      200_000,
    );

    it('took no more memory than there is', () => {
      expect(ground.peakMib).toBeLessThan(MEMORY_LIMIT_MIB);
    });

    it('left no fault behind', () => {
      expect(ground.gateway.process.lines.filter(({ level }) => level === 'error' || level === 50)).toEqual([]);
    });
  });
}
