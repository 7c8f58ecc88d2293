import { expectStatus, send, type ApiClient, type Answer } from './api-client.js';

/** A desk as the browser of a person holds it, without the browser. */
export class OpenedDesk {
  private constructor(
    private readonly baseUrl: string,
    readonly path: string,
    private readonly cookie: string,
    private readonly csrfToken: string,
  ) {}

  static async open(baseUrl: string, client: ApiClient, reportId: string, wish: object = {}): Promise<OpenedDesk> {
    const json = { mode: 'review', of: 'report', ...wish };
    const made = await client.request('POST', `/api/v1/reports/${reportId}/review-links`, { json });
    return OpenedDesk.openAt(baseUrl, expectStatus(201, made).body.url as string);
  }

  static async openAt(baseUrl: string, url: string): Promise<OpenedDesk> {
    const { pathname, hash } = new URL(url);
    const path = pathname.replace('/review/', '/review/api/v1/');
    const link = hash.slice(1);
    const opened = expectStatus(201, await send('POST', `${baseUrl}${path}/session`, { json: { link } }));
    const cookie = opened.headers.get('set-cookie')!.split(';')[0]!;
    return new OpenedDesk(baseUrl, path, cookie, opened.body.csrfToken as string);
  }

  ask(method: string, path: string, json?: object, headers: Record<string, string> = {}): Promise<Answer> {
    return send(method, `${this.baseUrl}${this.path}${path}`, {
      headers: { cookie: this.cookie, 'x-csrf-token': this.csrfToken, ...headers },
      ...(json === undefined ? {} : { json }),
    });
  }
}
