import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const ROOT = resolve(__dirname, '../../..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;

/** The blocks below a heading, in the language that is named behind their fence. */
function blocksOf(heading: string, language = ''): string[] {
  const section = README.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0];
  if (section === undefined) throw new Error(`README.md has no section "${heading}".`);
  return [...section.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter(([, named]) => named === language)
    .map(([, , block]) => block!);
}

/** What a reader pastes: blocks that talk to the gateway. Others start programs, or have an ID to be filled in. */
function pastedBlocks(heading: string): string {
  const blocks = blocksOf(heading).filter((block) => block.includes('curl '));
  if (blocks.length === 0) throw new Error(`Nothing to paste below "${heading}".`);
  return blocks.join('\n');
}

let gateway: Gateway;
let folder: string;

/** An empty folder with a photo, in which the gateway was started: it has `.data` with the demo key, and `npm run cli` works there. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sutura-readme-'));
  gateway = await startGateway({
    databaseUrl: null,
    dataDir: join(folder, '.data'),
    env: { HL7_PORT: '0', SUTURA_LEASE_S: '30' },
  });
  writeFileSync(join(folder, 'photo.jpg'), await drawWoundPhoto());
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ scripts: { cli: `node ${join(ROOT, 'scripts/cli.mjs')}` } }),
  );
  // Answers of the gateway that are errors end the block.
  writeFileSync(join(folder, '.curlrc'), 'fail-with-body\n');
});
afterAll(async () => {
  await gateway?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function run(command: string, words: readonly string[], input: string): Promise<string> {
  const key = readFileSync(join(folder, '.data/demo-key'), 'utf8').trim();
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    SUTURA_API_KEY: key,
    SUTURA_BASE_URL: gateway.baseUrl,
    PYTHONPATH: join(ROOT, 'sdk/python/src'),
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const child = spawn(command, words, { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if ((await ended) !== 0) throw new Error(`${command} failed:\n${out.slice(-2000)}\n${err.slice(-2000)}`);
  return out;
}

/** The blocks as they stand, but for the ports, which are free ones here. */
async function paste(headings: readonly string[]): Promise<string> {
  const { port: mllpPort } = await gateway.process.waitForEvent('hl7.listening');
  const script = [`export PORT=${new URL(gateway.baseUrl).port}`, ...headings.map(pastedBlocks)]
    .join('\n')
    .replaceAll('http://127.0.0.1:3000', gateway.baseUrl)
    .replaceAll('127.0.0.1:2575', `127.0.0.1:${String(mllpPort)}`);
  return run('bash', ['-e', '-o', 'pipefail'], script);
}

describe('what README.md has to be pasted', () => {
  it.each(['first', 'second'])('runs from an empty folder, in its order, for the %s time', async () => {
    const said = await paste(['First analysis', 'Week after week', 'FHIR R4', 'HL7 v2']);
    expect(said).toContain('"status":"completed"');
    expect(said).toContain('"resourceType":"DiagnosticReport"');
    expect(said.match(/MSA\|AA\|1/g)).toHaveLength(2);
    const beginnings = ['overlay.jpg', 'mask.png', 'report.pdf'].map((name) =>
      readFileSync(join(folder, name)).subarray(0, 4).toString('latin1'),
    );
    expect(beginnings).toEqual([expect.stringMatching(/^\xff\xd8\xff/), '\x89PNG', '%PDF']);
  });

  it('runs as a program with the library for JavaScript', async () => {
    mkdirSync(join(folder, 'node_modules/@sutura'), { recursive: true });
    symlinkSync(join(ROOT, 'sdk/javascript'), join(folder, 'node_modules/@sutura/sdk'));
    const [program] = blocksOf('From a program', 'js');
    writeFileSync(join(folder, 'program.mjs'), program!);
    expect(await run(process.execPath, ['program.mjs'], '')).toMatch(/no_scale/);
  });

  (HAS_PYTHON ? it : it.skip)('runs as a program with the library for Python', async () => {
    const [program] = blocksOf('From a program', 'python');
    expect(await run('python3', ['-'], program!)).toMatch(/no_scale/);
  });
});
