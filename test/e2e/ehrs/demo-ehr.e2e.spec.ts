import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { answerWith, startFakeEhr, type FakeEhr } from '../../support/fake-ehr/index.js';
import { startGateway, type Gateway } from '../../support/gateway.js';

const ROOT = resolve(__dirname, '../../..');
const run = promisify(execFile);
const MINUTES_MS = 60_000;
/** The base of a FHIR server for tests, such as HAPI’s: what is filed there stays. */
const OTHER_SERVER = process.env['SUTURA_TEST_FHIR_SERVER'];
const itWithServer = OTHER_SERVER === undefined ? it.skip : it;

/** As somebody tries it who has just started a gateway: its own database, and the key of the demo organization. */
describe('npm run demo:ehr', () => {
  let gateway: Gateway;

  const begin = async (env: Record<string, string>): Promise<void> => {
    gateway = await startGateway({
      databaseUrl: null,
      env: { SUTURA_MODELS_DIR: join(ROOT, 'models'), SUTURA_SEGMENTATION_MODEL: 'fast', HL7_PORT: '0', ...env },
    });
    // The key is made once the gateway listens.
    await gateway.process.waitForEvent('demo.ready', 60_000);
  };
  const demo = async (words: readonly string[], more: NodeJS.ProcessEnv = {}) => {
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, SUTURA_DATA_DIR: gateway.dataDir, SUTURA_BASE_URL: gateway.baseUrl, ...more };
    const command = ['--enable-source-maps', join(ROOT, 'scripts/demo-ehr.mjs'), ...words];
    return run(process.execPath, command, { cwd: ROOT, env }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (fault: unknown) => fault as { code: number; stdout: string; stderr: string },
    );
  };

  beforeAll(() => {
    if (!existsSync(join(ROOT, 'sdk/javascript/dist/index.js')))
      throw new Error('The library is not built: "npm run build:sdk".');
  });

  describe('beside a gateway that may not reach this machine', () => {
    beforeAll(() => begin({}));
    afterAll(() => gateway?.stop());

    it.each([
      ['an unknown dialect', ['--dialect', 'cerner']],
      ['an address that is none', ['--fhir', 'hapi']],
      ['a server that would be kept', ['--fhir', 'https://hapi.example/fhir', '--keep']],
      ['a patient of no server', ['--patient', 'urn:oid:2.999.1|4711']],
      ['a patient without a system', ['--fhir', 'https://hapi.example/fhir', '--patient', '4711']],
    ])('says how it is called for %s', async (_case, words) => {
      const usage = expect.stringContaining('Usage: npm run demo:ehr') as string;
      expect(await demo(words)).toMatchObject({ code: 2, stderr: usage });
    });

    it(
      'says what the gateway has to be started with',
      async () => {
        const { code, stderr } = await demo([]);
        expect([code, stderr]).toEqual([1, expect.stringContaining('SUTURA_EHR_NETWORKS=127.0.0.0/8')]);
      },
      3 * MINUTES_MS,
    );
  });

  describe('beside a gateway that may', () => {
    let server: FakeEhr;
    beforeAll(async () => {
      await begin({ SUTURA_EHR_NETWORKS: '127.0.0.0/8' });
      server = await startFakeEhr({ dialect: 'transaction' });
    });
    afterAll(async () => {
      await gateway?.stop();
      await server?.stop();
    });
    const token = (): NodeJS.ProcessEnv => {
      const read = ['Patient', 'Encounter'].map((type) => `system/${type}.rs`);
      const written = ['DocumentReference', 'Observation', 'DiagnosticReport'].map((type) => `system/${type}.crus`);
      return { SUTURA_DEMO_FHIR_TOKEN: server.control.issueToken([...read, ...written]) };
    };
    const known = (value: string): readonly string[] => {
      server.control.addPatient({ identifiers: [{ system: 'urn:oid:2.999.77', value }] });
      return ['--fhir', server.fhirBaseUrl, '--patient', `urn:oid:2.999.77|${value}`];
    };

    it(
      'opens the desk from the chart, files a result, replaces it by its correction and shows the card',
      async () => {
        const { code, stdout, stderr } = await demo([]);
        expect([code, stderr]).toEqual([0, '']);
        expect(stdout).toMatch(/^Card +info: Left lower leg: Results that wait for a clinician: 1\.$/m);
        expect(stdout).toMatch(/^Launch +\/launch → \/oauth2\/authorize → \/launch\/callback\S* → \/review\/…$/m);
        expect(stdout).toContain('The desk is open for Ada Winter, who may review');
        expect(stdout).toMatch(/^Corrected +report \S+, version 3, corrected$/m);
        expect(stdout).toMatch(/^Card +warning: Left lower leg: The wound is getting worse\.$/m);
        const [, replaced] = /^ {2}(DocumentReference\/\S+) +superseded/m.exec(stdout)!;
        expect(stdout).toContain(`in place of ${replaced!}`);
        expect(stdout).toContain('Nothing is wrong with what the EHR holds.');
      },
      5 * MINUTES_MS,
    );

    it(
      'says which results another server did not take, and why',
      async () => {
        server.control.plan(answerWith(400), { method: 'POST', path: '/fhir' });
        const { code, stderr } = await demo(known('F-1'), token());
        expect([code, stderr]).toEqual([
          1,
          expect.stringMatching(/did not take a result:\n {2}bundle: \S*ehr_refused/),
        ]);
        server.control.mend();
      },
      3 * MINUTES_MS,
    );

    it(
      'files and corrects at another FHIR server, and says what was not tried there',
      async () => {
        const { code, stdout, stderr } = await demo(known('F-2'), token());
        expect([code, stderr]).toEqual([0, '']);
        expect(stdout).toMatch(/^Launch +not tried/m);
        expect(stdout).toMatch(/^Card +not tried/m);
        expect(stdout).toContain('Nothing is wrong with what the EHR holds.');
        expect(server.verify()).toEqual([]);
        expect(server.control.objections).toEqual([]);
      },
      5 * MINUTES_MS,
    );

    itWithServer(
      'files and corrects at the FHIR server of SUTURA_TEST_FHIR_SERVER',
      async () => {
        const { code, stdout, stderr } = await demo(['--fhir', OTHER_SERVER!]);
        expect([code, stderr]).toEqual([0, '']);
        expect(stdout).toContain('Nothing is wrong with what the EHR holds.');
      },
      5 * MINUTES_MS,
    );
  });
});
