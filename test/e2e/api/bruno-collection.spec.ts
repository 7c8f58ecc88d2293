import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { send, type Answer } from '../../support/api-client.js';
import { sharedGateway } from '../../support/shared-gateway.js';

const ROOT = resolve(__dirname, '../../..');
const COLLECTIONS = join(ROOT, 'docs/collections');
const FOLDER = join(COLLECTIONS, 'bruno');
const VERBS = ['get', 'post', 'put', 'patch', 'delete'];

/** A file of Bruno by its blocks: what stands between a head and the brace at the beginning of a line. */
function blocksOf(text: string): Map<string, string> {
  const found = text.matchAll(/^([a-z:-]+) \{\n([\s\S]*?)\n\}$/gm);
  return new Map([...found].map(([, head, inner]) => [head!, inner!.replace(/^ {2}/gm, '')]));
}

/** Its lines `name: value`, without those that are switched off. */
const pairsOf = (block = ''): [string, string][] =>
  block
    .split('\n')
    .filter((line) => line.includes(':') && !line.startsWith('~'))
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);

async function requestsOf(): Promise<{ path: string; blocks: Map<string, string> }[]> {
  const paths = (await readdir(FOLDER, { recursive: true })).filter((path) =>
    /^(?!environments)[^/]+\/(?!folder\.bru).+\.bru$/.test(path),
  );
  const texts = await Promise.all(paths.sort().map((path) => readFile(join(FOLDER, path), 'utf8')));
  return paths.map((path, at) => ({ path, blocks: blocksOf(texts[at]!) }));
}

describe('the collection for Bruno', () => {
  it('holds no key', async () => {
    const texts = await Promise.all(
      (await readdir(FOLDER, { recursive: true }))
        .filter((path) => /\.(bru|json)$/.test(path))
        .map((path) => readFile(join(FOLDER, path), 'utf8')),
    );
    expect(texts.join('\n')).not.toMatch(/sut_(?:test|live)_\w/);
  });

  it('has each request of the one for Postman, with the same method, address and body', async () => {
    const whole = JSON.parse(await readFile(join(COLLECTIONS, 'sutura.postman_collection.json'), 'utf8')) as {
      item: {
        item: { name: string; request: { method: string; url: string | { raw: string }; body?: { raw?: string } } }[];
      }[];
    };
    const there = whole.item
      .flatMap(({ item }) => item)
      .map(({ name, request: { method, url, body } }) =>
        [name, method, typeof url === 'string' ? url : url.raw, body?.raw ?? ''].join('|'),
      );
    const here = (await requestsOf()).map(({ blocks }) => {
      const verb = VERBS.find((one) => blocks.has(one))!;
      const [name, url] = [blocks.get('meta'), blocks.get(verb)].map((block) => pairsOf(block)[0]![1]);
      return [name, verb.toUpperCase(), url, blocks.get('body:json') ?? ''].join('|');
    });
    expect(here.sort()).toEqual(there.sort());
  });

  it('leads from a photo to its report, from top to bottom', async () => {
    const gateway = await sharedGateway();
    const { key } = await gateway.createClient();
    const photo = await readFile(join(ROOT, 'samples/clean-wound.jpg'));
    const variables = new Map([['baseUrl', gateway.baseUrl]]);
    const fill = (text: string): string => text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => variables.get(name)!);
    const run = async (blocks: Map<string, string>): Promise<Answer> => {
      const verb = VERBS.find((one) => blocks.has(one))!;
      const { url, body, auth } = Object.fromEntries(pairsOf(blocks.get(verb)));
      const json = blocks.get('body:json');
      const bytes = body === 'file' ? photo : json === undefined ? undefined : Buffer.from(fill(json));
      const headers = pairsOf(blocks.get('headers')).map(([name, value]) => [name.toLowerCase(), fill(value)]);
      return send(verb.toUpperCase(), fill(url!), {
        headers: Object.fromEntries(headers) as Record<string, string>,
        key: auth === 'none' ? null : key!,
        ...(bytes === undefined ? {} : { bytes }),
      });
    };
    const steps = (await requestsOf()).filter(({ path }) => path.startsWith('First-analysis/'));
    expect(steps).toHaveLength(8);
    for (const { blocks } of steps) {
      let answer = await run(blocks);
      const isWaiting = () => blocks.has('get') && ['queued', 'processing'].includes(String(answer.body?.status));
      while (isWaiting()) answer = await run(blocks);
      const res = { body: answer.body as unknown, getStatus: () => answer.status };
      const bru = { setVar: (name: string, value: string) => variables.set(name, value) };
      const expecting = (value: unknown) => ({ to: { equal: (wanted: unknown) => expect(value).toBe(wanted) } });
      const globals = { res, bru, expect: expecting, test: (_: string, check: () => void) => check() };
      for (const block of ['tests', 'script:post-response']) runInNewContext(blocks.get(block) ?? '', globals);
    }
    expect(variables.get('reportId')).toMatch(/^[0-9a-f-]{36}$/);
  });
});
