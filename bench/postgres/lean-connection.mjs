import pg from 'pg';
import { MessageWriter } from './message-writer.mjs';

const HEADER_BYTES = 5;
const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4]);
/** Codes of messages from the server. */
const [ROW, COMPLETE, ERROR, READY] = ['D', 'C', 'E', 'Z'].map((code) => code.charCodeAt(0));
const writer = new MessageWriter();

/**
 * A connection that only does what the load needs, so that little of the machine goes to its client: it sends the statements of a flight in
 * one write, counts the rows of their answers and reads those values that are wanted of them. node-postgres opens it.
 */
export class LeanConnection {
  #stream;
  #prepared = new Set();
  #rest = Buffer.alloc(0);
  #flight = [];
  #answers = [];
  #done;
  #failed;

  /** @param options startup options of the session: its role, and what the service sets */
  static async open(databaseUrl, options) {
    const client = new pg.Client({ connectionString: databaseUrl, options, application_name: 'bench' });
    client.on('error', () => undefined);
    await client.connect();
    const connection = new LeanConnection();
    connection.#takeOver(client.connection.stream);
    return connection;
  }

  #takeOver(stream) {
    for (const event of ['data', 'end', 'close', 'error']) stream.removeAllListeners(event);
    stream.on('data', (chunk) => this.#read(chunk));
    const lost = () => this.#failed?.(new Error('A connection was lost.'));
    for (const event of ['error', 'close']) stream.on(event, lost);
    this.#stream = stream;
  }

  /** The answers to statements that leave together: `{ rows, affected, captured }`, the captured in the order of `captures`. */
  send(flight, series) {
    for (const statement of flight) {
      const { name } = statement;
      writer.statement(statement, series, name !== undefined && this.#prepared.has(name));
      if (name !== undefined) this.#prepared.add(name);
    }
    this.#flight = flight;
    this.#answers = [{ rows: 0, affected: 0, captured: [] }];
    this.#stream.write(writer.take());
    return new Promise((done, failed) => {
      this.#done = done;
      this.#failed = failed;
    });
  }

  close() {
    this.#failed = undefined;
    this.#stream.end(TERMINATE);
  }

  #read(chunk) {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (at + HEADER_BYTES <= bytes.length) {
      const end = at + 1 + bytes.readInt32BE(at + 1);
      if (end > bytes.length) break;
      this.#take(bytes[at], bytes, at + HEADER_BYTES, end);
      at = end;
    }
    this.#rest = at === bytes.length ? Buffer.alloc(0) : bytes.subarray(at);
  }

  #take(code, bytes, from, end) {
    const answer = this.#answers.at(-1);
    if (code === ROW) this.#takeRow(answer, bytes, from);
    else if (code === COMPLETE) answer.affected = Number(/\d+$/.exec(bytes.latin1Slice(from, end - 1))?.[0] ?? 0);
    else if (code === ERROR) this.#failed?.(new Error(messageOf(bytes.utf8Slice(from, end))));
    else if (code === READY) {
      if (this.#answers.length === this.#flight.length) this.#done(this.#answers);
      else this.#answers.push({ rows: 0, affected: 0, captured: [] });
    }
  }

  #takeRow(answer, bytes, from) {
    const { captures } = this.#flight[this.#answers.length - 1];
    for (const [at, { row, column }] of captures.entries())
      if (row === answer.rows) answer.captured[at] = columnOf(bytes, from, column);
    answer.rows += 1;
  }
}

function columnOf(bytes, from, column) {
  let at = from + 2;
  for (let passed = 0; passed < column; passed += 1) at += 4 + Math.max(0, bytes.readInt32BE(at));
  const length = bytes.readInt32BE(at);
  return length < 0 ? null : bytes.utf8Slice(at + 4, at + 4 + length);
}

/** Severity, SQLSTATE and message of an error, which are its fields S, C and M. */
function messageOf(fields) {
  return fields
    .split('\0')
    .filter((field) => /^[SCM]/.test(field))
    .map((field) => field.slice(1))
    .join(' ');
}
