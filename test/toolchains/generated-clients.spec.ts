import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { send } from '../support/api-client.js';
import { startGateway, type Gateway } from '../support/gateway.js';
import { drawWoundPhoto } from '../support/wound-photo.js';
import { describeWith, isThere, said } from './toolchain.js';

const ROOT = resolve(__dirname, '../..');
const PROGRAMS = join(ROOT, 'test/fixtures/generators');
const GENERATOR = '7.25.0';
const JAR = join(
  homedir(),
  `.m2/repository/org/openapitools/openapi-generator-cli/${GENERATOR}/openapi-generator-cli-${GENERATOR}.jar`,
);
const WORKS = /wounds: \d+\s+the generated client works$/;
const hasMaven = isThere('java', '-version') && isThere('mvn', '-version');
const hasPython = isThere('python3', '-m', 'venv', '--help');

describeWith({ 'Java with Maven': !hasMaven })(
  'the clients that OpenAPI Generator makes of the tenants’ document',
  () => {
    let gateway: Gateway;
    let folder: string;
    let caller: readonly [string, string, string];

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sutura-generated-'));
      if (!existsSync(JAR))
        await said(
          folder,
          'mvn',
          '-q',
          '-B',
          'dependency:get',
          `-Dartifact=org.openapitools:openapi-generator-cli:${GENERATOR}`,
          '-Dtransitive=false',
        );
      gateway = await startGateway();
      for (const audience of ['tenant', 'all']) {
        const { bytes } = await send('GET', `${gateway.baseUrl}/api-docs/openapi.json?audience=${audience}`);
        await writeFile(join(folder, `${audience}.json`), bytes);
      }
      const photo = join(folder, 'photo.jpg');
      await writeFile(photo, await drawWoundPhoto());
      const { key } = await gateway.createKey(await gateway.createOrganization());
      caller = [gateway.baseUrl, key, photo];
    }, 300_000);
    afterAll(async () => {
      await gateway?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    async function generate(generator: string, audience: 'tenant' | 'all', ...options: string[]): Promise<string> {
      const client = join(folder, `${generator}-${audience}`);
      await said(
        folder,
        'java',
        '-jar',
        JAR,
        'generate',
        '-i',
        `${audience}.json`,
        '-g',
        generator,
        '-o',
        client,
        ...options,
      );
      return client;
    }

    const compileJava = async (audience: 'tenant' | 'all', program?: string) => {
      const client = await generate('java', audience, '--library', 'native');
      if (program !== undefined)
        await copyFile(join(PROGRAMS, `${program}.java`), join(client, `src/main/java/${program}.java`));
      await said(
        client,
        'mvn',
        '-q',
        '-B',
        '-Dmaven.test.skip=true',
        'compile',
        'dependency:build-classpath',
        '-Dmdep.outputFile=classpath',
      );
      return client;
    };

    it('Java: compiles, and does one analysis', async () => {
      const client = await compileJava('tenant', 'UseClient');
      const classpath = `target/classes:${(await readFile(join(client, 'classpath'), 'utf8')).trim()}`;
      expect(await said(client, 'java', '-cp', classpath, 'UseClient', ...caller)).toMatch(WORKS);
    }, 600_000);

    it('Java: compiles with the operator’s part too', async () => {
      const client = await compileJava('all');
      expect(existsSync(join(client, 'target/classes/org/openapitools/client/api/AdminApi.class'))).toBe(true);
    }, 600_000);

    const goTest = isThere('go', 'version') ? it : it.skip;
    const buildGo = async (audience: 'tenant' | 'all') => {
      const client = await generate('go', audience, '--additional-properties=withGoMod=true');
      await rm(join(client, 'test'), { recursive: true, force: true });
      return client;
    };
    goTest(
      'Go: compiles, and does one analysis',
      async () => {
        const client = await buildGo('tenant');
        await mkdir(join(client, 'use'));
        await copyFile(join(PROGRAMS, 'use_client.go.txt'), join(client, 'use/main.go'));
        await said(client, 'go', 'mod', 'tidy');
        expect(await said(client, 'go', 'run', './use', ...caller)).toMatch(WORKS);
      },
      600_000,
    );

    goTest(
      'Go: compiles with the operator’s part too',
      async () => {
        const client = await buildGo('all');
        await said(client, 'go', 'mod', 'tidy');
        expect(await said(client, 'go', 'build', './...')).toBe('');
      },
      600_000,
    );

    const csharpTest = isThere('dotnet', '--version') ? it : it.skip;
    csharpTest(
      'C#: compiles',
      async () => {
        const client = await generate('csharp', 'tenant');
        expect(await said(join(client, 'src/Org.OpenAPITools'), 'dotnet', 'build', '--nologo')).toContain(
          'Build succeeded',
        );
      },
      600_000,
    );

    const pythonTest = hasPython ? it : it.skip;
    pythonTest(
      'Python: does one analysis',
      async () => {
        const client = await generate('python', 'tenant');
        await said(folder, 'python3', '-m', 'venv', 'python');
        const python = join(folder, 'python/bin/python');
        await said(
          client,
          python,
          '-m',
          'pip',
          'install',
          '--quiet',
          '--disable-pip-version-check',
          '-r',
          'requirements.txt',
        );
        const program = join(PROGRAMS, 'use_openapi_generator_client.py');
        expect(await said(folder, python, program, client, ...caller)).toMatch(WORKS);
      },
      600_000,
    );

    it('TypeScript: compiles under strict, and does one analysis', async () => {
      const client = await generate('typescript-fetch', 'tenant', '--additional-properties=importFileExtension=.js');
      const project = join(folder, 'typescript');
      await mkdir(project);
      await cp(client, join(project, 'client'), { recursive: true });
      await copyFile(join(PROGRAMS, 'use_client.ts.txt'), join(project, 'use_client.ts'));
      await writeFile(join(project, 'package.json'), '{ "type": "module" }');
      const compilerOptions = {
        target: 'es2022',
        module: 'nodenext',
        lib: ['ES2022', 'DOM', 'DOM.Iterable'],
        strict: true,
        types: ['node'],
        typeRoots: [join(ROOT, 'node_modules/@types')],
        outDir: 'out',
        rootDir: '.',
      };
      await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['use_client.ts'] }));
      await said(project, process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.');
      expect(await said(project, process.execPath, 'out/use_client.js', ...caller)).toMatch(WORKS);
    }, 600_000);
  },
);
