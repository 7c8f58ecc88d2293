import type { Resource } from '@medplum/fhirtypes';
import { expectStatus, send, type Answer } from './api-client.js';
import { eventually } from './eventually.js';

export interface Manifest {
  readonly transactionTime: string;
  readonly request: string;
  readonly requiresAccessToken: boolean;
  readonly output: readonly { readonly type: string; readonly url: string; readonly count: number }[];
  readonly deleted?: Manifest['output'];
  readonly error: readonly unknown[];
}

const ASYNC = { accept: 'application/fhir+json', prefer: 'respond-async' };

/** A client of bulk exports: a base, such as `http://…/fhir`, and a key or token. */
export class BulkClient {
  constructor(
    private readonly base: string,
    private readonly key: string | null,
  ) {}

  /** `path` such as `/Patient/$export?_type=Patient`. */
  kickOff(path = '/$export', headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return send('GET', `${this.base}${path}`, { key: this.key, headers: { ...ASYNC, ...headers } });
  }

  kickOffByPost(parameter: readonly object[], path = '/$export'): Promise<Answer> {
    return send('POST', `${this.base}${path}`, {
      key: this.key,
      json: { resourceType: 'Parameters', ...(parameter.length === 0 ? {} : { parameter }) },
      headers: { ...ASYNC, 'content-type': 'application/fhir+json' },
    });
  }

  ask(method: string, url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return send(method, url, { key: this.key, headers });
  }

  /** The answer with the manifest, and those before it. */
  async poll(
    statusUrl: string,
    timeoutMs = 20_000,
  ): Promise<{ readonly done: Answer; readonly waiting: readonly Answer[] }> {
    const waiting: Answer[] = [];
    const ask = async (): Promise<Answer | null> => {
      const answer = await this.ask('GET', statusUrl);
      if (answer.status !== 202) return answer;
      waiting.push(answer);
      return null;
    };
    return { done: await eventually('the export ended', ask, timeoutMs, 100), waiting };
  }

  /** Kicks off and waits for the manifest. */
  async export(path = '/$export'): Promise<Manifest> {
    const { done } = await this.poll(statusUrlOf(await this.kickOff(path)));
    return expectStatus(200, done).body as Manifest;
  }

  /** Everything in the files of a manifest, by type. */
  async resources({ output }: Manifest): Promise<Map<string, Resource[]>> {
    const found = new Map<string, Resource[]>();
    for (const { type, url, count } of output) {
      const lines = linesOf(expectStatus(200, await this.ask('GET', url)));
      if (lines.length !== count) throw new Error(`${url} has ${lines.length} lines, not ${count}.`);
      found.set(type, [...(found.get(type) ?? []), ...lines]);
    }
    return found;
  }
}

export function statusUrlOf(kickOff: Answer): string {
  return expectStatus(202, kickOff).headers.get('content-location')!;
}

/** Throws for a line that is no JSON. */
export function linesOf({ bytes }: Answer): Resource[] {
  const text = bytes.toString('utf8');
  if (!text.endsWith('\n')) throw new Error('The last line has no end.');
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as Resource);
}
