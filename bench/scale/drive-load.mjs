import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const REPEAT_PAUSE_MS = 100;
/** A request that no gateway settles within this time has found a fault of the service. */
const PATIENCE_MS = 60_000;
const PHOTOS_OF_A_WOUND = 5;
const DAY_MS = 86_400_000;
/** Answers that say: ask again, or elsewhere. */
const PASSING = new Set([502, 503]);

/**
 * Clients that each do one job after another over the native API: upload-url, PUT, create, and a held poll until it has ended. They take the
 * gateways in turn, and ask another one where a connection breaks or 503 is answered, under the same Idempotency-Key.
 */
export class Load {
  /** Ids of jobs whose creation was acknowledged. */
  accepted = [];
  ended = 0;
  latenciesMs = [];
  /** Requests that were sent again, each with what was met. */
  repeated = [];
  #agent = new Agent({ keepAlive: true });
  #goesOn = true;
  #turn = 0;

  /** @param {{ doors: () => readonly string[], tenants: readonly object[], photo: Buffer }} wish doors: base URLs of the gateways that are up */
  constructor(wish) {
    this.wish = wish;
  }

  /** Resolves once each lane has seen the end of its last job, after `stop`. */
  async run(lanes) {
    await Promise.all(Array.from({ length: lanes }, (_, lane) => this.#work(lane)));
    this.#agent.destroy();
  }

  stop() {
    this.#goesOn = false;
  }

  async #work(lane) {
    const tenant = this.wish.tenants[lane % this.wish.tenants.length];
    for (let number = 0; this.#goesOn; number += 1) {
      const began = performance.now();
      await this.#analyse(tenant, lane, number);
      this.ended += 1;
      this.latenciesMs.push(performance.now() - began);
    }
  }

  async #analyse(tenant, lane, number) {
    const imageId = await this.#upload(tenant);
    const patientId = `SCALE-${lane}-${Math.floor(number / PHOTOS_OF_A_WOUND)}`;
    const capturedAt = new Date(Date.now() - (300 - (number % PHOTOS_OF_A_WOUND)) * DAY_MS).toISOString();
    const subject = { patientId, woundId: 'W1', laterality: 'left' };
    const { id } = await this.#ask(tenant, 201, 'POST', '/api/v1/analysis/jobs', { imageId, capturedAt, subject });
    this.accepted.push(id);
    for (;;) {
      const { status } = await this.#ask(tenant, 200, 'GET', `/api/v1/analysis/jobs/${id}`);
      if (status === 'completed' || status === 'error') return;
    }
  }

  async #upload(tenant) {
    const ticket = await this.#ask(tenant, 201, 'POST', '/api/v1/images/upload-url');
    const answer = await this.#exchange(
      ticket.uploadUrl,
      { method: 'PUT', headers: ticket.headers },
      this.wish.photo,
    ).catch(() => undefined);
    if (answer?.status === 200) return ticket.imageId;
    // The gateway that the address leads to is gone: another one gives another address.
    this.#mayRepeat(answer, 'PUT');
    await pause(REPEAT_PAUSE_MS);
    return this.#upload(tenant);
  }

  /** The body of an answer with this status. Fails at once on an answer that no repetition mends. */
  async #ask({ authorization }, expected, method, path, json) {
    const headers = {
      authorization,
      ...(method === 'GET' ? { prefer: 'wait=30' } : { 'idempotency-key': randomUUID() }),
    };
    const body = json === undefined ? undefined : JSON.stringify(json);
    if (body !== undefined) headers['content-type'] = 'application/json';
    for (const end = performance.now() + PATIENCE_MS; performance.now() < end;) {
      const doors = this.wish.doors();
      const door = doors[this.#turn++ % doors.length];
      const answer =
        door === undefined
          ? undefined
          : await this.#exchange(`${door}${path}`, { method, headers }, body).catch(() => undefined);
      if (answer?.status === expected) return JSON.parse(answer.text);
      this.#mayRepeat(answer, `${method} ${path}`);
      await pause(REPEAT_PAUSE_MS);
    }
    throw new Error(`${method} ${path}: no gateway settled it within ${PATIENCE_MS / 1000} s.`);
  }

  #mayRepeat(answer, what) {
    const passes = answer === undefined || PASSING.has(answer.status) || /idempotency\.in_flight/.test(answer.text);
    if (!passes) throw new Error(`${what}: ${answer.status} ${answer.text}`);
    this.repeated.push(`${what}: ${answer === undefined ? 'no answer' : `${answer.status} ${answer.text}`}`);
  }

  #exchange(url, options, body) {
    return new Promise((answered, failed) => {
      const sent = request(url, { ...options, agent: this.#agent }, (answer) => {
        const parts = [];
        answer.on('data', (part) => parts.push(part));
        answer.once('error', failed);
        answer.once('end', () => answered({ status: answer.statusCode, text: Buffer.concat(parts).toString('utf8') }));
      });
      sent.once('error', failed);
      if (body !== undefined) sent.setHeader('content-length', Buffer.byteLength(body));
      sent.end(body);
    });
  }
}
