import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { FILES, ROOT, textOf } from './pages.js';

const run = promisify(execFile);
const INDEX = 'docs/index.md';
/** Pages that another one leads to: the lists of decisions and of kinds of changes. */
const LED_TO = /^docs\/(?:decisions|developer)\/(?!README\.md$)/;

const builtBy = async (root: string, out: string): Promise<void> => {
  await run(process.execPath, [join(root, 'scripts/docs.mjs'), '--out', out], { cwd: root });
};
const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.relative(folder, posix.join(entry.parentPath, entry.name)))
    .sort();
const linksOf = (html: string): string[] => [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link]) => link!);
const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);

describe('docs/index.md', () => {
  const index = textOf(INDEX);

  it('has a part for each kind of reader', () => {
    expect([...index.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)).toEqual([
      'Integrating over REST',
      'Integrating over FHIR R4',
      'Integrating over HL7 v2',
      'Integrating an EHR',
      'Operating',
      'Clinicians and clinical safety',
      'Developing Sutura',
    ]);
  });

  it('names every page of the docs, but those that a list of their own leads to', () => {
    const named = new Set([...index.matchAll(/\]\(([^)#]+)/g)].map(([, target]) => posix.join('docs', target!)));
    const pages = FILES.filter((file) => /^docs\/.*\.md$/.test(file) && file !== INDEX && !LED_TO.test(file));
    expect(pages.length).toBeGreaterThan(20);
    expect(pages.filter((page) => !named.has(page))).toEqual([]);
  });
});

describe('the docs site', () => {
  let folder: string;
  let site: string;
  let pages: ReadonlyMap<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sutura-docs-'));
    site = join(folder, 'site');
    await builtBy(ROOT, site);
    const html = filesOf(site).filter((file) => file.endsWith('.html'));
    pages = new Map(html.map((file) => [file, readFileSync(join(site, file), 'utf8')]));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const pageOf = (place: string): string => pages.get(place)!;

  it('is not made in a folder that holds anything else, which would be removed', async () => {
    const mine = join(folder, 'mine');
    await mkdir(mine);
    await writeFile(join(mine, 'thesis.txt'), 'years of work');
    const refused = builtBy(ROOT, mine).catch((fault: { code: number; stderr: string }) => fault);
    expect(await refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Choose an empty folder') });
    expect(filesOf(mine)).toEqual(['thesis.txt']);
  });

  it('has no script, style or handler inside a page, which its policy would refuse', () => {
    const inline = /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=|javascript:/i;
    const shown = (html: string) => html.replace(/>[^<]*</g, '><');
    expect([...pages].filter(([, html]) => inline.test(shown(html))).map(([place]) => place)).toEqual([]);
  });

  it('loads nothing from another host', () => {
    const loaded = [...pages.values()].flatMap((html) =>
      [...html.matchAll(/<(?:link|script|img)[^>]* (?:href|src)="([^"]*)"/g)].map(([, address]) => address!),
    );
    expect(loaded.length).toBeGreaterThan(pages.size);
    expect(loaded.filter((address) => /^(?:[a-z]+:|\/)/i.test(address))).toEqual([]);
    const assets = ['docs.css', 'docs.js'].map((name) => readFileSync(join(site, 'assets', name), 'utf8'));
    expect(assets.join('')).not.toMatch(/url\(|@import|https?:\/\/|\beval\(|new Function\(/);
  });

  it('makes a page of each page, and leads to places and headings that are there', () => {
    expect(pages.size).toBeGreaterThan(FILES.filter((file) => /^docs\/.*\.md$/.test(file)).length);
    const broken = [...pages].flatMap(([place, html]) =>
      linksOf(html)
        .filter((link) => !/^(?:https?|mailto):/.test(link))
        .filter((link) => {
          const [path, anchor] = link.split('#');
          const target = path === '' ? place : posix.join(posix.dirname(place), path!);
          // The OpenAPI document, which the gateway makes.
          if (target === '../api-docs/openapi.json') return false;
          if (!existsSync(join(site, target))) return true;
          return anchor !== undefined && !idsOf(pageOf(target)).includes(decodeURIComponent(anchor));
        })
        .map((link) => `${place}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it('has a place for each error code and each setting, by its name', () => {
    expect(idsOf(pageOf('errors.html'))).toEqual(expect.arrayContaining(['auth.missing', 'image.not_uploaded']));
    expect(idsOf(pageOf('settings.html'))).toEqual(expect.arrayContaining(['PORT']));
  });

  it('names each id once on a page', () => {
    const doubled = [...pages].filter(([, html]) => new Set(idsOf(html)).size < idsOf(html).length);
    expect(doubled.map(([place]) => place)).toEqual([]);
  });

  it('shows what looks like a tag as it is written', () => {
    expect(pageOf('errors.html')).toContain('Authorization: Bearer &lt;key&gt;');
  });

  it('leads from every page to every page that the index names', () => {
    const inIndex = [...textOf(INDEX).matchAll(/^- \[[^\]]+\]\(([\w-]+)\.md/gm)].map(([, name]) => `${name}.html`);
    expect(inIndex.length).toBeGreaterThan(20);
    const navigation = /<nav id="site-pages"[^]*?<\/nav>/.exec(pageOf('index.html'))![0];
    expect(inIndex.filter((place) => !navigation.includes(`"${place}"`))).toEqual([]);
    expect(navigation).not.toContain('More pages');
  });

  it('is made of the same bytes again', async () => {
    const again = join(folder, 'again');
    await builtBy(ROOT, again);
    expect(filesOf(again)).toEqual(filesOf(site));
    for (const file of filesOf(site))
      expect([file, readFileSync(join(again, file)).equals(readFileSync(join(site, file)))]).toEqual([file, true]);
  });

  it('has a page that was moved since the index was written among more pages, and loses none', async () => {
    const copy = join(folder, 'copy');
    for (const name of ['docs', 'scripts', 'web/src', 'web/public', 'package.json', 'package-lock.json', 'README.md'])
      await cp(join(ROOT, name), join(copy, name), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    await rename(join(copy, 'docs/audit.md'), join(copy, 'docs/trail.md'));
    await builtBy(copy, join(copy, 'out'));
    const navigation = /<nav id="site-pages"[^]*?<\/nav>/.exec(readFileSync(join(copy, 'out/index.html'), 'utf8'))![0];
    expect(navigation).toMatch(/More pages<\/summary><ul><li><a href="trail\.html">The audit trail</);
    expect(existsSync(join(copy, 'out', 'audit.html'))).toBe(false);
  });
});
