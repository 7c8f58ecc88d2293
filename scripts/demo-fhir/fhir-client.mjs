import { setTimeout as pause } from 'node:timers/promises';
import { DemoFailure, fetchPrepared } from '../demo-gateway.mjs';

const FHIR_JSON = 'application/fhir+json';
const PATIENCE_MS = 60_000;
const ENDED = ['completed', 'failed', 'cancelled', 'rejected'];

/** Speaks FHIR R4 with a gateway, as any hospital system can: plain HTTP and JSON. */
export class FhirClient {
  #key;

  constructor(baseUrl, key) {
    this.base = `${baseUrl.replace(/\/$/, '')}/fhir`;
    this.#key = key;
  }

  /** The resource at a path below the base. */
  read(path) {
    return this.#send('GET', path);
  }

  post(path, resource, headers = {}) {
    return this.#send('POST', path, {
      body: JSON.stringify(resource),
      headers: { 'content-type': FHIR_JSON, ...headers },
    });
  }

  /** Reads a Task until it has ended; unchanged ones cost the gateway nothing (If-None-Match). */
  async untilEnded(taskId, patienceMs, onStatus) {
    const end = Date.now() + patienceMs;
    let tag;
    for (;;) {
      const answer = await this.#fetch('GET', `/Task/${taskId}`, {
        headers: tag === undefined ? {} : { 'if-none-match': tag },
      });
      if (answer.status !== 304) {
        const task = await this.#resourceOf(answer, `/Task/${taskId}`);
        tag = answer.headers.get('etag') ?? undefined;
        onStatus(task.status);
        if (ENDED.includes(task.status)) return task;
      }
      if (Date.now() > end) throw new DemoFailure(`The Task ${taskId} has not ended in ${patienceMs / 1000} s.`);
      await pause(500);
    }
  }

  async #send(method, path, wish = {}) {
    return this.#resourceOf(await this.#fetch(method, path, wish), path);
  }

  async #resourceOf(answer, path) {
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text);
    throw new DemoFailure(`The gateway refused ${path || 'the Bundle'} with ${answer.status}: ${reasonOf(text)}`);
  }

  async #fetch(method, path, { headers = {}, body } = {}) {
    const all = { authorization: `Bearer ${this.#key}`, accept: FHIR_JSON, ...headers };
    return fetchPrepared(`${this.base}${path}`, {
      method,
      headers: all,
      body,
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch((fault) => {
      throw new DemoFailure(`The gateway does not answer (${fault.cause?.code ?? fault.name}). "npm start" starts it.`);
    });
  }
}

/** The first issue of an OperationOutcome in words. */
function reasonOf(text) {
  try {
    const [issue] = JSON.parse(text).issue;
    return [issue.details?.text, ...(issue.expression ?? [])].join(' ');
  } catch {
    return text.slice(0, 300);
  }
}
