import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { LeanConnection } from './lean-connection.mjs';

const load = (path) => import(pathToFileURL(resolve(import.meta.dirname, '../../dist/src', path)).href);
const [{ BatchedCommits }, { HandledEvents }, { sessionOptions }] = await Promise.all(
  ['platform/database/batched-commits.js', 'events/outbox/handled-events.js', 'platform/database/data-source.js'].map(
    load,
  ),
);

/** As the gateway's own rows of the audit trail (sql-audit-trail.ts). */
const AUDIT_LIMITS = { largest: 500, atOnce: 2, patienceMs: 1000 };
const END_CHANNEL = 'sutura_job_ended';
/** Nothing is filled into what is gathered. */
const NOTHING = {};

/**
 * What the lanes of one gateway share: rows of the audit trail and handled events that leave together, by the product's own classes, and the
 * connection on which it hears that jobs have ended.
 */
export class ReplayedGateway {
  /** Events that were struck off, each after it was found in the outbox. */
  told = 0;
  #waiting = new Map();

  static async open(databaseUrl, script, onFault) {
    const gateway = new ReplayedGateway();
    gateway.databaseUrl = databaseUrl;
    gateway.#listener = new pg.Client({ connectionString: databaseUrl });
    gateway.#listener.on('error', onFault);
    gateway.#listener.on('notification', ({ payload }) => gateway.#ended(payload));
    await gateway.#listener.connect();
    await gateway.#listener.query(`listen ${END_CHANNEL}`);
    await gateway.#gather(script, onFault);
    return gateway;
  }

  #listener;
  #connections = [];

  connect(role) {
    return LeanConnection.open(this.databaseUrl, sessionOptions(role));
  }

  /** Resolves once PostgreSQL has told that the job ended. */
  endOf(jobId) {
    return new Promise((ended) => this.#waiting.set(jobId, ended));
  }

  #ended(jobId) {
    this.#waiting.get(jobId)?.();
    this.#waiting.delete(jobId);
  }

  async #gather({ photos }, onFault) {
    const units = photos.flatMap((photo) => photo.units);
    const audit = units.find(({ kind }) => kind === 'audit');
    const outbox = units.find(({ kind }) => kind === 'outbox');
    if (audit === undefined || outbox === undefined)
      throw new Error('A recorded photo has neither rows of the audit trail nor handled events of its own.');
    const free = await Promise.all(Array.from({ length: AUDIT_LIMITS.atOnce }, () => this.connect('sutura_system')));
    const striking = await this.connect('sutura_system');
    this.#connections = [...free, striking];
    this.audit = new BatchedCommits(async (entries) => {
      const connection = free.pop();
      const rows = `[${entries.map(({ text }) => text).join(',')}]`;
      const statement = { text: audit.text, name: audit.name, values: [rows] };
      expect(
        await run(connection, statement),
        entries.reduce((sum, { affected }) => sum + affected, 0),
        'rows of the audit trail',
      );
      free.push(connection);
      return entries;
    }, AUDIT_LIMITS);
    const markHandled = async (events) => {
      if (events.length === 0) return;
      const values = [arrayOf(events.map(({ handler }) => handler)), arrayOf(events.map(({ eventId }) => eventId))];
      expect(await run(striking, { text: outbox.text, values }), events.length, 'handled events');
      this.told += events.length;
    };
    this.handled = new HandledEvents({ markHandled }, onFault);
  }

  /** Strikes off the rest, and ends its connections. */
  async close() {
    await this.handled.stop();
    for (const connection of this.#connections) connection.close();
    await this.#listener.end();
  }
}

async function run(connection, { text, name, values }) {
  const statement = { text: [text].flat(), name, values: values.map((value) => [value]), captures: [] };
  const [{ affected }] = await connection.send([statement], NOTHING);
  return affected;
}

function expect(found, wanted, what) {
  if (found !== wanted) throw new Error(`${found} ${what} were written or struck off instead of ${wanted}.`);
}

const arrayOf = (texts) => `{${texts.map((text) => `"${text}"`).join(',')}}`;
