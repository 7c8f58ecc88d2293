import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { readdirSync, readFileSync } from 'node:fs';
import { R4_SAMPLES } from '../support/r4-samples.js';
import { fromXml, toXml } from '../support/xml-documents.js';
import { buildHapi, hapi, LACKS_MAVEN, type Converted } from './hapi-program.js';
import { describeWith } from './toolchain.js';

const EXAMPLES = resolve(__dirname, '../../fhir-profiles/examples');

/** Resources that HAPI reads, by name. */
const RESOURCES: ReadonlyMap<string, object> = new Map([
  ...readdirSync(EXAMPLES).map((name): [string, object] => [
    basename(name, '.json'),
    JSON.parse(readFileSync(join(EXAMPLES, name), 'utf8')) as object,
  ]),
  ...R4_SAMPLES.map((sample, index): [string, object] => [`sample-${index}`, sample]),
]);

describeWith(LACKS_MAVEN)('HAPI’s parser converts as the gateway does', () => {
  let folder: string;
  let [theirXml, theirJson]: Converted[][] = [[], []];

  beforeAll(async () => {
    await buildHapi();
    folder = await mkdtemp(join(tmpdir(), 'sutura-xml-'));
    for (const format of ['json', 'xml']) await mkdir(join(folder, format));
    for (const [name, resource] of RESOURCES) {
      await writeFile(join(folder, 'json', `${name}.json`), JSON.stringify(resource));
      await writeFile(join(folder, 'xml', `${name}.xml`), toXml(resource));
    }
    theirXml = await hapi<Converted>('convert', 'xml', join(folder, 'their-xml'), join(folder, 'json'));
    theirJson = await hapi<Converted>('convert', 'json', join(folder, 'their-json'), join(folder, 'xml'));
  }, 900_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('reads every document of ours, strictly', () => {
    expect(theirJson!.filter(({ made }) => made === undefined)).toEqual([]);
    expect(theirJson).toHaveLength(RESOURCES.size);
  });

  it('says in JSON what we said in XML', async () => {
    for (const { made } of theirJson!) {
      const name = basename(made!, '.json');
      const theirs = JSON.parse(await readFile(made!, 'utf8')) as object;
      expect({ name, resource: comparable(theirs) }).toEqual({ name, resource: comparable(RESOURCES.get(name)!) });
    }
  });

  it('is read by us in XML as it stands in JSON', async () => {
    for (const { made } of theirXml!) {
      const name = basename(made!, '.xml');
      const theirs = fromXml<object>(await readFile(made!));
      expect({ name, resource: comparable(theirs) }).toEqual({ name, resource: comparable(RESOURCES.get(name)!) });
    }
  });
});

/** Without what HAPI's parser does of its own accord: it drops versions of references, and writes narratives and times its way. */
function comparable(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => comparable(item, name));
  if (typeof value === 'string') {
    if (name === 'div') return value.replaceAll(/\s+/g, ' ');
    return name === 'reference' ? value.replace(/\/_history\/\w+$/, '') : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, comparable(member, key)]));
}
