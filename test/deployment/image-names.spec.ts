import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FILES, ROOT, textOf } from '../docs/pages.js';

/** The digest of the fake registry. */
const DIGEST = `sha256:${'ab12'.repeat(16)}`;
const NAMING = FILES.filter((file) => /^(compose\.yaml|Containerfile.*|ops\/kustomize\/.*\.yaml)$/.test(file));
const NAMED = NAMING.flatMap((file) => {
  const found = [
    ...textOf(file).matchAll(/^ *image(?:Name)?: (.+)$/gm),
    ...textOf(file).matchAll(/^ARG \w+_IMAGE=(.+)$/gm),
    ...textOf(file).matchAll(/^FROM ([^$\s]+)$/gm),
  ];
  return found.map(([, name]) => [file, name!.replace(/^\$\{\w+:-(.*)\}$/, '$1')] as const);
});

describe('an image that somebody else makes', () => {
  it('is named in the files that are read here', () => {
    expect(NAMED.map(([, name]) => name).join(' ')).toMatch(/caddy.*postgres.*redis.*node.*cuda|node.*cuda.*caddy/s);
  });

  it.each(NAMED.filter(([, name]) => name !== 'sutura'))('%s: %s has a digest, or a whole version', (_file, name) => {
    expect(name).toMatch(/@sha256:[0-9a-f]{64}$|:\d+\.\d+(\.\d+)?(-[\w.-]+)?$/);
    // Of PostgreSQL two numbers are a whole version, of everything else three.
    if (!/postgres/.test(name)) expect(name).toMatch(/@sha256:|:\d+\.\d+\.\d+/);
  });

  it('that has no tags of versions is given by whoever builds', () => {
    expect(textOf('Containerfile')).toMatch(/^ARG BASE_IMAGE$/m);
    expect(textOf('docs/deployment.md')).toMatch(/--build-arg BASE_IMAGE="\$\(ops\/pin-images\.sh gcr\.io\/distroless/);
  });
});

describe('ops/pin-images.sh', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'sutura-pin-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** With a registry that answers so. */
  const pin = (answers: string, ...args: string[]) => {
    const skopeo = join(folder, 'skopeo');
    writeFileSync(skopeo, `#!/bin/sh\ncase "$*" in ${answers} *) exit 1 ;; esac\n`);
    chmodSync(skopeo, 0o755);
    const env = { PATH: `${folder}:${process.env['PATH']}` };
    return spawnSync('sh', [join(ROOT, 'ops/pin-images.sh'), ...args], { env, encoding: 'utf8' });
  };
  const ALL = `*docker://*) echo ${DIGEST} ;;`;

  it('prints nothing where an image of several is not found, or the answer is no digest', () => {
    expect(pin(`*caddy*) echo ${DIGEST} ;;`)).toMatchObject({ status: 1, stdout: '' });
    expect(pin('*) echo latest ;;', 'docker.io/library/redis:7.2.11')).toMatchObject({ status: 1, stdout: '' });
  });

  it('says what to install where it is missing', () => {
    const { status, stderr } = spawnSync('/bin/sh', [join(ROOT, 'ops/pin-images.sh')], {
      env: { PATH: '/nowhere' },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('apt-get install skopeo')]);
  });

  it('names the images of compose.yaml by digest, as lines that .env takes', () => {
    const { stdout } = pin(ALL);
    expect(stdout.trim().split('\n')).toEqual([
      `PROXY_IMAGE=docker.io/library/caddy@${DIGEST}`,
      `POSTGRES_IMAGE=docker.io/library/postgres@${DIGEST}`,
      `REDIS_IMAGE=docker.io/library/redis@${DIGEST}`,
    ]);
    expect(execFileSync('sh', ['-c', stdout + 'echo "$REDIS_IMAGE"'], { encoding: 'utf8' })).toContain(DIGEST);
  });

  it('names one image', () => {
    expect(pin(ALL, 'gcr.io/distroless/cc-debian12:nonroot').stdout).toBe(`gcr.io/distroless/cc-debian12@${DIGEST}\n`);
  });
});
