import { assertSameScript, namesOf } from './compare-recordings.mjs';
import { piecesOf, splitText } from './tokens.mjs';
import { unitsOf } from './units-of-photo.mjs';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Makes two recordings of the same photos into a script: for each photo its units, whose statements have their parameters as pieces to be
 * filled, and the slots that fill them. An id that a statement sends before any answer had it is made anew for each photo; one that an answer
 * had first (a lease token) is taken from the answer to the same statement.
 */
export function scriptOf([first, second]) {
  const [ours, theirs] = [first, second].map(({ photos }) => photos.map(unitsOf));
  assertSameScript(ours, theirs);
  const slots = new Slots(first, tokensOf(theirs));
  const photos = ours.map((units) => photoOf(units, slots));
  return { photos, slots: slots.all, price: priceOf(photos) };
}

/** Of a photo, the mean over those of a wound: statements and flights that are its own. */
function priceOf(photos) {
  const flights = photos.flatMap(({ units }) => units.flatMap((unit) => unit.flights ?? []));
  return { statements: flights.flat().length / photos.length, flights: flights.length / photos.length };
}

/** Everything of a recording that may be an id. */
function tokensOf(photos) {
  const statements = photos.flat().flatMap((unit) => unit.statements);
  return new Set(
    statements.flatMap(({ text, values }) =>
      [text, ...values.map((value) => String(value))].flatMap((part) => splitText(part).tokens),
    ),
  );
}

/** The values that differ from photo to photo, in the order in which they come up. */
class Slots {
  all = [];
  #places = new Map();
  #answered = new Map();

  /** @param common ids of the other recording: those that this one has, too, stand for ever */
  constructor({ tenant, patientId }, common) {
    this.common = common;
    this.#add(tenant.organizationId, { from: 'organization' });
    this.#add(tenant.keyId, { from: 'key' });
    this.#add(patientId, { from: 'patient' });
  }

  /** Of an id that is sent; undefined where it stands. */
  of = (token) => {
    if (this.#places.has(token)) return this.#places.get(token);
    if (this.common.has(token)) return undefined;
    const capture = this.#answered.get(token);
    const slot = this.#add(token, capture === undefined ? { from: 'made', kind: kindOf(token) } : { from: 'answer' });
    capture?.captures.push({ row: capture.row, column: capture.column, slot });
    return slot;
  };

  /** Notes the ids of an answer, which later statements may send. */
  answered({ rows, columns }, captures) {
    for (const [row, values] of rows.entries())
      for (const [column, name] of columns.entries()) {
        const value = values[name];
        if (typeof value !== 'string' || !UUID.test(value) || this.#places.has(value)) continue;
        if (!this.#answered.has(value)) this.#answered.set(value, { captures, row, column });
      }
  }

  #add(token, slot) {
    this.#places.set(token, this.all.length);
    return this.all.push(slot) - 1;
  }
}

/** `lock`: the number of an advisory lock; else the version of a UUID. */
const kindOf = (token) => (UUID.test(token) ? token[14] : 'lock');

function photoOf(units, slots) {
  const script = units.map((unit) => unitOf(unit, slots));
  const claim = onlyOne(script, 'claim');
  const job = claim.answer.rows[0];
  if (job === undefined) throw new Error('The recorded job was not found by its worker.');
  claim.captures.push({ row: 0, column: claim.answer.columns.indexOf('id') });
  const end = lastPoll(script);
  end.captures.push({ row: 0, column: end.answer.columns.indexOf('status') });
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
  const rows = [
    ...script.filter(({ kind }) => kind === 'audit'),
    ...script
      .flatMap(({ flights = [] }) => flights.flat())
      .filter(isAudit)
      .map(({ answer }) => answer),
  ];
  return {
    units: script,
    jobSlot: slots.of(job.id),
    events: sum(script.map(({ events = [] }) => events.length)),
    auditRows: sum(rows.map(({ affected }) => affected)),
  };
}

const isAudit = ({ text: [first] }) => typeof first === 'string' && first.includes('insert into audit_events');

function onlyOne(script, step) {
  const units = script.filter((unit) => unit.step === step);
  if (units.length !== 1) throw new Error(`A recorded photo has ${units.length} units of ${step} instead of one.`);
  return units[0].flights[0][0];
}

/** The read that a client saw the end in, which it makes once PostgreSQL told of it. */
function lastPoll(script) {
  const unit = script.findLast(({ step }) => step === 'poll');
  const read = unit?.flights[0][0];
  if (read?.answer.rows[0]?.status !== 'completed') throw new Error('No recorded poll saw the end of the job.');
  unit.awaitsEnd = true;
  return read;
}

function unitOf({ kind, step, role, flights }, slots) {
  const compiled = flights.map((flight) => flight.map((statement) => statementOf(statement, slots)));
  if (kind === 'statements') return { kind, step, role, flights: separated(compiled) };
  const [[{ text, name, values, answer }]] = compiled;
  if (kind === 'audit') return { kind, text, name, affected: answer.affected, entries: withoutBrackets(values[0]) };
  return { kind, text, events: pairsOf(values) };
}

function statementOf({ text, name, values, at, answer }, slots) {
  if (answer === undefined) throw new Error(`A recorded statement failed, or was not answered: ${text.slice(0, 80)}`);
  const captures = [];
  const statement = {
    text: piecesOf(text, slots.of, at),
    name,
    simple: values.length === 0 && name === undefined,
    values: values.map((value) => (value === null ? null : piecesOf(String(value), slots.of, at))),
    answer,
    // What is read of the answer: into a slot, or for the lane itself.
    captures,
  };
  slots.answered(answer, captures);
  return statement;
}

/** What needs an answer of its own flight leaves in the next one. */
function separated(flights) {
  return flights.flatMap((flight) => {
    const parts = [[]];
    for (const statement of flight) {
      const awaited = new Set(parts.at(-1).flatMap(({ captures }) => captures.map(({ slot }) => slot)));
      const sent = [statement.text, ...statement.values.filter((value) => value !== null)].flat();
      if (sent.some(({ slot }) => awaited.has(slot))) parts.push([]);
      parts.at(-1).push(statement);
    }
    return parts;
  });
}

/** The rows of a JSON array, to stand in a larger one. */
function withoutBrackets(pieces) {
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (!first?.startsWith?.('[') || !last?.endsWith?.(']')) throw new Error('Rows of the audit trail are a JSON array.');
  return pieces.length === 1 ? [first.slice(1, -1)] : [first.slice(1), ...pieces.slice(1, -1), last.slice(0, -1)];
}

/** Handled events: `{"handler","handler"}` and `{"id","id"}`. */
function pairsOf([handlers, ids]) {
  const names = namesOf(handlers.join(''));
  const slots = ids.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.slot]));
  if (names.length !== slots.length) throw new Error('Each handled event has its handler.');
  return names.map((handler, at) => ({ handler, slot: slots[at] }));
}
