import { OF_THE_PAGES, pathsBelow } from '../../scripts/sbom/shipped-packages.mjs';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ROOT, textOf } from '../docs/pages.js';
import { complaintAbout, writtenBill, type Bill, type Component } from './bill-of-materials.js';

const EPOCH_S = 1_700_000_000;

interface LockedPackage {
  readonly version: string;
  readonly integrity: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

const LOCKED = Object.entries(
  (JSON.parse(textOf('package-lock.json')) as { packages: Record<string, LockedPackage> }).packages,
).filter(([path]) => path !== '');
const isShipped = ([, { dev, devOptional }]: (typeof LOCKED)[number]): boolean => !dev && !devOptional;
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 13);
const purlOf = ([path, { version }]: (typeof LOCKED)[number]): string =>
  `pkg:npm/${nameOf(path).replace('@', '%40')}@${version}`;

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

describe('npm run sbom', () => {
  let written: string;
  let bill: Bill;
  let byRef: ReadonlyMap<string, Component>;

  beforeAll(() => {
    written = writtenBill(EPOCH_S);
    bill = JSON.parse(written) as Bill;
    byRef = new Map(bill.components.map((component) => [component['bom-ref'], component]));
  });

  it('writes what the schema of CycloneDX 1.6 allows, and nothing else', () => {
    expect(complaintAbout(written.replace('"type": "library"', '"type": "book"'))).toContain(
      'must be equal to one of the allowed values',
    );
    expect(complaintAbout(written)).toBe('');
  });

  it('writes the same bytes for the same second, and another serial number for another', () => {
    expect(writtenBill(EPOCH_S)).toBe(written);
    const later = JSON.parse(writtenBill(EPOCH_S + 1)) as Bill;
    expect(later.serialNumber).not.toBe(bill.serialNumber);
    expect(later.metadata.timestamp).toBe('2023-11-14T22:13:21.000Z');
  });

  it('leaves out what serves development alone', () => {
    const shipped = new Set(LOCKED.filter(isShipped).map(purlOf));
    const inPages = pathsBelow(Object.fromEntries(LOCKED), OF_THE_PAGES);
    const idle = LOCKED.filter((entry) => !isShipped(entry) && !inPages.has(entry[0])).map(purlOf);
    expect(idle.filter((purl) => byRef.has(purl) && !shipped.has(purl))).toEqual([]);
    expect(byRef.has(purlOf(LOCKED.find(([path]) => path === 'node_modules/jest')!))).toBe(false);
  });

  it('has every package that the pages were built from', () => {
    const [web, docs] = ['dist/web/bundled-packages.json', 'dist/docs/assets/bundled-packages.json'].map(
      (file) => JSON.parse(textOf(file)) as string[],
    );
    expect(web).toContain('react-dom');
    expect(docs).toEqual(['minisearch']);
    const bundled = [...web!, ...docs!];
    const named = new Set([...byRef.keys()].map((ref) => /^pkg:npm\/(.*)@[^@]*$/.exec(ref)?.[1]?.replace('%40', '@')));
    expect(bundled.filter((name) => !named.has(name))).toEqual([]);
  });

  it('has every package of the lock file that is shipped, with its licence and its digest', () => {
    const wrong = LOCKED.filter(isShipped).filter(([path, entry]) => {
      const component = byRef.get(purlOf([path, entry]));
      const digest = Buffer.from(entry.integrity.replace('sha512-', ''), 'base64').toString('hex');
      return component?.licenses?.length !== 1 || component.hashes?.[0]?.content !== digest;
    });
    expect(wrong.map(([path]) => path)).toEqual([]);
  });

  it('states a licence that the package itself states, where the lock file has none', () => {
    expect(byRef.get('pkg:npm/png-js@2.0.0')?.licenses).toEqual([{ license: { id: 'MIT' } }]);
    expect(textOf('node_modules/png-js/LICENSE')).toMatch(/^MIT License/);
  });

  it('has each native file of the installed packages, with the digest that it has', () => {
    const native = /\.(node|dll|dylib|wasm)$|\.so(\.\d[\d.]*)?$/;
    const installed = LOCKED.filter(isShipped).filter(([path]) => existsSync(join(ROOT, path)));
    const found = installed.flatMap(([path, entry]) =>
      readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
        .filter((file) => file.isFile() && native.test(file.name))
        .map((file) => join(file.parentPath, file.name).slice(join(ROOT, path).length + 1))
        .filter((below) => !/(^|\/)node_modules\//.test(below))
        .map((below) => [purlOf([path, entry]), below, sha256(join(ROOT, path, below))]),
    );
    const stated = bill.components.flatMap(({ 'bom-ref': ref, components = [] }) =>
      components.map(({ name, hashes }) => [ref, name, hashes?.[0]?.content]),
    );
    expect(found.length).toBeGreaterThan(10);
    expect(stated).toEqual(expect.arrayContaining(found));
  });

  it('names what the native files carry: libvips with its libraries, ONNX Runtime, OpenCV, PostgreSQL with its own', () => {
    const carried = (carrier: string): readonly string[] =>
      bill.dependencies.find(({ ref }) => ref.startsWith(carrier))!.dependsOn;
    const versions = JSON.parse(
      textOf(`node_modules/@img/sharp-libvips-${process.platform}-${process.arch}/versions.json`),
    ) as Record<string, string>;
    const libvips = carried(`pkg:npm/%40img/sharp-libvips-${process.platform}-${process.arch}@`);
    expect(libvips).toContain(`pkg:generic/libvips@${versions['vips']}`);
    expect(libvips).toHaveLength(Object.keys(versions).length);
    expect(carried('pkg:npm/onnxruntime-node@')).toContain('pkg:generic/onnxruntime@1.30.0');
    expect(carried('pkg:npm/%40techstark/opencv-js@')).toEqual(['pkg:generic/opencv@4.12.0']);
    expect(
      carried(`pkg:npm/%40embedded-postgres/${process.platform}-${process.arch}@`).map((purl) => purl.split('@')[0]),
    ).toEqual(
      ['icu', 'libxml2', 'libxslt', 'openssl', 'ossp-uuid', 'postgresql', 'xz', 'zlib'].map(
        (name) => `pkg:generic/${name}`,
      ),
    );
  });

  it('says of packages with native files that it may not know all that is in them', () => {
    const [composition] = bill.compositions;
    expect(composition!.aggregate).toBe('incomplete');
    const native = bill.components.filter(({ components }) => components !== undefined);
    expect(composition!.assemblies).toEqual(expect.arrayContaining(native.map((component) => component['bom-ref'])));
  });

  it('has the fonts that documents are set in', () => {
    const used = [...textOf('src/reports/pdf/shared-fonts.ts').matchAll(/'@expo-google-fonts\/noto-sans\/(.*\.ttf)'/g)];
    const fonts = bill.components.filter(({ name }) => name.endsWith('.ttf'));
    expect(fonts.map(({ name }) => name)).toEqual(used.map(([, path]) => path));
    expect(fonts.map(({ licenses }) => licenses)).toEqual(used.map(() => [{ license: { id: 'OFL-1.1' } }]));
    for (const { name, hashes } of fonts)
      expect(hashes![0]!.content).toBe(sha256(join(ROOT, 'node_modules/@expo-google-fonts/noto-sans', name)));
  });

  it('has each model with its digest, its licence, the data it was made with, and its limits', () => {
    const manifests = readdirSync(join(ROOT, 'models'))
      .map((folder) => join(ROOT, 'models', folder, 'manifest.json'))
      .filter((file) => existsSync(file))
      .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>);
    const models = bill.components.filter(({ type }) => type === 'machine-learning-model');
    expect(models.map(({ name, version }) => `${name} ${version}`).sort()).toEqual(
      manifests.map(({ name, version }) => `${name} ${version}`).sort(),
    );
    for (const manifest of manifests) {
      const model = models.find(({ name }) => name === manifest['name'])!;
      expect(model.hashes).toEqual([{ alg: 'SHA-256', content: manifest['sha256'] }]);
      expect(model.licenses).toEqual([{ license: { name: manifest['licence'] } }]);
      expect(model.modelCard!.modelParameters.datasets.length).toBeGreaterThan(0);
      expect(model.modelCard!.considerations.technicalLimitations.length).toBeGreaterThan(1);
    }
  });

  it('leads from the service to every component, by what needs what', () => {
    const needs = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
    const reached = new Set<string>();
    const follow = (ref: string): void => {
      if (reached.has(ref)) return;
      reached.add(ref);
      needs.get(ref)?.forEach(follow);
    };
    follow(bill.metadata.component['bom-ref']);
    expect([...byRef.keys()].filter((ref) => !reached.has(ref))).toEqual([]);
  });
});
