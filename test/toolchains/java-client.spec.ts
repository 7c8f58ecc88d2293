import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { startGateway } from '../support/gateway.js';
import { drawSmallWoundPhoto } from '../support/wound-photo.js';
import { contractCases, webhookVectors } from './contract-suite.js';
import { LACKS_MAVEN } from './hapi-program.js';
import { describeWith, said } from './toolchain.js';

const ROOT = resolve(__dirname, '../..');
const CLIENT = join(ROOT, 'sdk/java');
/** What the examples of the README take for given. */
const GIVEN = [
  'SuturaClient client',
  'String jobId',
  'AnalysisJob job',
  'byte[] body',
  'Map<String, List<String>> headers',
];

describeWith(LACKS_MAVEN)('the client for Java', () => {
  let classpath: string;

  beforeAll(async () => {
    const words = ['-Dmdep.outputFile=target/classpath', '-DincludeScope=runtime'];
    await said(CLIENT, 'mvn', '-q', '-B', 'test-compile', 'dependency:build-classpath', ...words);
    const jars = (await readFile(join(CLIENT, 'target/classpath'), 'utf8')).trim();
    classpath = [join(CLIENT, 'target/classes'), join(CLIENT, 'target/test-classes'), jars].join(delimiter);
  }, 600_000);

  it('depends on Jackson alone', async () => {
    const jars = (await readFile(join(CLIENT, 'target/classpath'), 'utf8')).trim().split(delimiter);
    expect(jars.filter((jar) => !jar.includes('com/fasterxml/jackson/'))).toEqual([]);
  });

  it('passes every case of the contract suite and takes and refuses the shared webhooks', async () => {
    await said(CLIENT, 'mvn', '-q', '-B', 'test');
    const ran = async (name: string): Promise<number> => {
      const report = await readFile(join(CLIENT, `target/surefire-reports/TEST-dev.sutura.sdk.${name}.xml`), 'utf8');
      return Number(/<testsuite [^>]*\btests="(\d+)"/.exec(report)![1]);
    };
    expect(await ran('ContractTest')).toBe((await contractCases()).length);
    expect(await ran('WebhookVerifierTest')).toBeGreaterThan((await webhookVectors()).length);
  }, 400_000);

  it('does the whole flow at a gateway', async () => {
    const gateway = await startGateway();
    const folder = await mkdtemp(join(tmpdir(), 'sutura-java-'));
    try {
      const { key } = await gateway.createKey(await gateway.createOrganization());
      await writeFile(join(folder, 'photo.jpg'), await drawSmallWoundPhoto());
      const words = [gateway.baseUrl, key, join(folder, 'photo.jpg'), folder];
      expect(await said(CLIENT, 'java', '-cp', classpath, 'dev.sutura.sdk.FlowChecks', ...words)).toBe('all hold');
    } finally {
      await gateway.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }, 300_000);

  it('compiles every example of its README', async () => {
    const page = await readFile(join(CLIENT, 'README.md'), 'utf8');
    const examples = [...page.matchAll(/```java\n([\s\S]*?)```/g)].map(([, code]) => code!);
    const methods = examples.map((code, at) => {
      const isMade = (one: string): boolean => new RegExp(`^\\s*\\w+ ${one.split(' ').pop()} =`, 'm').test(code);
      const given = GIVEN.filter((one) => !isMade(one));
      return `static void example${at}(${given.join(', ')}) throws Exception {\n${code}}\n`;
    });
    const folder = await mkdtemp(join(tmpdir(), 'sutura-java-'));
    try {
      const imports = [
        'dev.sutura.sdk.*',
        'dev.sutura.sdk.model.*',
        'java.nio.file.Path',
        'java.time.*',
        'java.util.*',
      ];
      const text = `${imports.map((one) => `import ${one};\n`).join('')}class Examples {\n${methods.join('')}}\n`;
      await writeFile(join(folder, 'Examples.java'), text);
      expect(examples.length).toBeGreaterThan(5);
      await said(folder, 'javac', '-Xlint:all', '-Werror', '-cp', classpath, '-d', folder, 'Examples.java');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 120_000);
});
