import { randomInt } from 'node:crypto';
import { send, type Answer } from './api-client.js';

/** Where a launch ended, as the person sees it. */
export interface EndedLaunch {
  readonly answer: Answer;
  /** Of the last redirect. */
  readonly location: string | null;
  /** Every address that was asked, first one first. */
  readonly asked: readonly string[];
}

const MOST_STEPS = 8;

/** A browser between an EHR and the gateway: keeps the gateway's cookies, and follows what it is sent to. */
export class LaunchBrowser {
  private readonly cookies = new Map<string, string>();
  /** Each at a desk of its own, so that none uses up the rate of another. */
  private readonly address = `10.54.${randomInt(256)}.${randomInt(256)}`;

  constructor(
    private readonly gatewayUrl: string,
    private readonly headers: Readonly<Record<string, string>> = { accept: 'text/html' },
  ) {}

  /** Asks one address, as a navigation. */
  async go(url: string): Promise<Answer> {
    const isGateway = url.startsWith(`${this.gatewayUrl}/`);
    const held = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await send('GET', url, {
      headers: {
        'x-forwarded-for': this.address,
        ...this.headers,
        ...(isGateway && held !== '' ? { cookie: held } : {}),
      },
    });
    for (const cookie of isGateway ? answer.headers.getSetCookie() : []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      this.cookies.set(name!, value!);
    }
    return answer;
  }

  /** From the EHR's frame to the desk, or to the page that says why not. `change`: what happens to an address on the way. */
  async follow(start: string, change: (url: string) => string | Promise<string> = (url) => url): Promise<EndedLaunch> {
    const asked: string[] = [];
    let url = start;
    for (;;) {
      url = await change(url);
      asked.push(url);
      const answer = await this.go(url);
      const location = answer.headers.get('location');
      const isDesk = location?.startsWith(`${this.gatewayUrl}/review/`) === true;
      if (location === null || isDesk || asked.length === MOST_STEPS) return { answer, location, asked };
      url = new URL(location, url).href;
    }
  }

  forgetCookies(): void {
    this.cookies.clear();
  }
}

/** The code of a launch that ended on a page, or `opened`. */
export function outcomeOf({ answer, location }: EndedLaunch): string {
  if (answer.status === 303 && location !== null) return 'opened';
  const text = answer.bytes.toString('utf8');
  return /<code>([a-z_.]+)<\/code>/.exec(text)?.[1] ?? `status ${answer.status}`;
}
