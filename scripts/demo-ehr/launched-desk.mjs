import { DemoFailure } from '../demo-gateway.mjs';

const MOST_STEPS = 8;
const PATIENCE_MS = 60_000;

/** The clinician's browser: follows a launch from the chart to the review desk, and decides there as the desk's page does. */
export class LaunchedDesk {
  #gateway;
  #cookies = new Map();
  #path;
  #csrfToken;

  constructor(gatewayUrl) {
    this.#gateway = gatewayUrl.replace(/\/$/, '');
  }

  /** From the address that the EHR's frame opens. Which addresses it was sent to, and what the desk says of itself. */
  async open(launchUrl) {
    const asked = [];
    let url = launchUrl;
    while (!this.#isDesk(url)) {
      if (asked.length === MOST_STEPS) throw new DemoFailure(`The launch goes round in circles: ${asked.join(' → ')}`);
      const answer = await this.#fetch('GET', url);
      asked.push(new URL(url).pathname);
      const location = answer.headers.get('location');
      if (location === null) throw new DemoFailure(await refusalOf(answer));
      url = new URL(location, url).href;
    }
    const { pathname, hash } = new URL(url);
    // Nothing of the launch is in the page: the secret stays behind the "#", and the page trades it for its session.
    const page = await this.#fetch('GET', `${this.#gateway}${pathname}`);
    const type = page.headers.get('content-type') ?? '';
    if (!page.ok || !type.startsWith('text/html') || !(await page.text()).includes('<script'))
      throw new DemoFailure(`The page of the desk is not there: ${page.status} ${type}.`);
    this.#path = pathname.replace('/review/', '/review/api/v1/');
    this.#csrfToken = (await this.#ask('POST', '/session', { body: { link: hash.slice(1) } })).body.csrfToken;
    const { body: session } = await this.#ask('GET', '/session');
    return { asked: [...asked, '/review/…'], session };
  }

  /** Decides on a report as the clinician whom the EHR names; the new version. */
  async decide(reportId, decision) {
    const report = await this.#ask('GET', `/reports/${reportId}`);
    // The desk signs for the clinician of the launch, whatever is stated here.
    const reviewer = { id: 'of the launch', name: 'of the launch' };
    const headers = { 'if-match': report.etag };
    const body = { ...decision, reviewer };
    return (await this.#ask('POST', `/reports/${reportId}/reviews`, { body, headers })).body;
  }

  #isDesk(url) {
    return url.startsWith(`${this.#gateway}/review/`);
  }

  async #ask(method, path, { body, headers = {} } = {}) {
    const answer = await this.#fetch(method, `${this.#gateway}${this.#path}${path}`, {
      headers: {
        ...headers,
        ...(this.#csrfToken === undefined ? {} : { 'x-csrf-token': this.#csrfToken }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.ok) return { body: JSON.parse(text), etag: answer.headers.get('etag') };
    throw new DemoFailure(`The desk refused ${path} with ${answer.status}: ${text.slice(0, 300)}`);
  }

  /** The gateway's cookies go to the gateway alone. */
  async #fetch(method, url, { headers = {}, body } = {}) {
    const isGateway = url.startsWith(`${this.#gateway}/`);
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { accept: 'text/html, application/json', ...headers, ...(isGateway && cookie !== '' ? { cookie } : {}) },
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body === undefined ? {} : { body }),
    }).catch((fault) => {
      throw new DemoFailure(`${new URL(url).origin} does not answer (${fault.cause?.code ?? fault.name}).`);
    });
    for (const set of isGateway ? answer.headers.getSetCookie() : []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set);
      this.#cookies.set(name, value);
    }
    return answer;
  }
}

/** The page on which a launch ended: its code, and what to do where this demo knows. */
async function refusalOf(answer) {
  const text = await answer.text();
  const code = /<code>([a-z_.]+)<\/code>/.exec(text)?.[1] ?? problemCode(text);
  const hint =
    code === 'launch.unreachable'
      ? ' Start the gateway with SUTURA_EHR_NETWORKS=127.0.0.0/8, so that it may reach this machine.'
      : '';
  return `The launch ended with ${answer.status} (${code ?? text.slice(0, 200)}).${hint}`;
}

function problemCode(text) {
  try {
    const { code, error } = JSON.parse(text);
    return code ?? error;
  } catch {
    return undefined;
  }
}
