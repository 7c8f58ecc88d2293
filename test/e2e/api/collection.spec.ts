import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { send, type Answer } from '../../support/api-client.js';
import { sharedGateway } from '../../support/shared-gateway.js';

const ROOT = resolve(__dirname, '../../..');
const FILE = join(ROOT, 'docs/collections/sutura.postman_collection.json');

interface Pair {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}
interface Item {
  readonly name: string;
  readonly event?: readonly { readonly script: { readonly exec: readonly string[] } }[];
  readonly request: {
    readonly method: string;
    readonly header: readonly Pair[];
    readonly auth?: { readonly type: string };
    readonly body?: { readonly mode: string; readonly raw?: string; readonly file?: { readonly src: string } };
    readonly url:
      | string
      | { readonly path: readonly string[]; readonly query?: readonly Pair[]; readonly variable?: readonly Pair[] };
  };
}
interface Collection {
  readonly variable: readonly Pair[];
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[];
}

/** What a runner of collections does with a request, as far as this one asks for it. */
class Runner {
  constructor(
    private readonly variables: Map<string, string>,
    private readonly photo: Uint8Array,
  ) {}

  async run({ event = [], request }: Item): Promise<Answer> {
    const { method, header, auth, body } = request;
    const headers = Object.fromEntries(
      header.filter(({ disabled }) => disabled !== true).map(({ key, value }) => [key.toLowerCase(), this.fill(value)]),
    );
    const raw = body?.raw === undefined ? undefined : Buffer.from(this.fill(body.raw));
    const bytes = body?.mode === 'file' ? this.photo : raw;
    const answer = await send(method, this.urlOf(request), {
      headers,
      key: auth?.type === 'noauth' ? null : this.fill('{{apiKey}}'),
      ...(bytes === undefined ? {} : { bytes }),
    });
    for (const { script } of event) this.keep(script.exec.join('\n'), answer);
    return answer;
  }

  private urlOf({ url }: Item['request']): string {
    if (typeof url === 'string') return this.fill(url);
    const values = new Map((url.variable ?? []).map(({ key, value }) => [`:${key}`, this.fill(value)]));
    const path = url.path.map((segment) => values.get(segment) ?? segment).join('/');
    const query = (url.query ?? []).filter(({ disabled }) => disabled !== true);
    const asked = new URLSearchParams(query.map(({ key, value }) => [key, value])).toString();
    return `${this.fill('{{baseUrl}}')}/${path}${asked === '' ? '' : `?${asked}`}`;
  }

  private fill(text: string): string {
    return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = this.variables.get(name);
      if (value === undefined) throw new Error(`The collection has no variable ${name}.`);
      return value;
    });
  }

  /** Its script, with as much of `pm` as the collection uses. */
  private keep(script: string, answer: Answer): void {
    const pm = {
      test: (_: string, check: () => void) => check(),
      response: { code: answer.status, json: () => answer.body as unknown, text: () => answer.bytes.toString('utf8') },
      collectionVariables: { set: (name: string, value: string) => this.variables.set(name, value) },
    };
    runInNewContext(script, { pm });
  }
}

describe('the collection of requests', () => {
  let collection: Collection;
  let variables: Map<string, string>;
  let runner: Runner;

  beforeAll(async () => {
    collection = JSON.parse(await readFile(FILE, 'utf8')) as Collection;
    const gateway = await sharedGateway();
    const { key } = await gateway.createClient();
    variables = new Map(collection.variable.map(({ key: name, value }) => [name, value]));
    variables.set('baseUrl', gateway.baseUrl).set('apiKey', key!);
    runner = new Runner(variables, await readFile(join(ROOT, 'samples/clean-wound.jpg')));
  });

  it('is what the OpenAPI document makes', async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/collection.mjs'), '--check']);
  });

  it('holds no key', async () => {
    expect(await readFile(FILE, 'utf8')).not.toMatch(/sut_(?:test|live)_\w/);
  });

  it('leads from a photo to its report, from top to bottom', async () => {
    const [first] = collection.item;
    expect(first!.name).toBe('First analysis');
    for (const item of first!.item) {
      let answer = await runner.run(item);
      const isWaiting = () =>
        item.request.method === 'GET' && ['queued', 'processing'].includes(String(answer.body?.status));
      while (isWaiting()) answer = await runner.run(item);
    }
    expect(variables.get('reportId')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('reaches each of its routes with requests that the service understands', async () => {
    for (const name of ['heldId', 'webhookId', 'deliveryId', 'eventId', 'relationId'])
      variables.set(name, '01997f2e-ffff-7000-8000-00000000ffff');
    // What takes away comes last.
    const items = collection.item.slice(1).flatMap(({ item }) => item);
    const isTaking = ({ request }: Item) => request.method === 'DELETE';
    const said: string[] = [];
    for (const item of [...items.filter((one) => !isTaking(one)), ...items.filter(isTaking)]) {
      const { status, body } = await runner.run(item);
      const code = (body as { code?: string } | null)?.code ?? '';
      const isMisled = [400, 401, 403, 405, 406, 415].includes(status) || status >= 500 || code === 'route.not_found';
      if (isMisled) said.push(`${item.name}: ${status} ${code}`);
      if (item.request.method === 'GET' && !/\{\{(held|webhook|delivery)Id/.test(JSON.stringify(item)) && status >= 300)
        said.push(`${item.name}: ${status} ${code}`);
    }
    expect(said).toEqual([]);
  });
});
