import { stepOf } from '../budget/steps.mjs';

/** Steps that are no photo's own: a key is known for four seconds, a message is sent by its own rounds. */
const SHARED = new Set(['key', 'sending']);
const CLAIMS = /^with claimed as\b/;
/** The relay's look for events of other processes, whoever nudged it. */
const FANS_OUT = /^with moment as materialized\b/;
const WRITES = /\b(insert into|update|delete from)\b/;

/**
 * What one photo had PostgreSQL do, in the order of its beginnings. A unit is a transaction, or a statement by itself; its flights are the
 * statements that left together, of which each waits for the answers to the one before. Rows of the audit trail and handled events that the
 * gateway gathers from many photos are units of their own kinds (`audit`, `outbox`). The service's own rounds are left out.
 *
 * @param lines statements as the tap wrote them
 */
export function unitsOf(lines) {
  const open = new Map();
  const units = [];
  for (const line of lines) {
    const began = open.get(line.connection);
    if (began !== undefined) {
      began.statements.push(line);
      if (/^rollback\b/.test(line.text)) throw new Error(`A transaction of ${stepOf(line)} was rolled back.`);
      if (/^commit\b/.test(line.text)) open.delete(line.connection);
      continue;
    }
    const unit = { statements: [line] };
    units.push(unit);
    if (/^begin\b/.test(line.text)) open.set(line.connection, unit);
  }
  return units.map(described).filter(({ kind }) => kind !== undefined);
}

function described({ statements }) {
  const [first] = statements;
  const isClaim = CLAIMS.test(first.text);
  const step = isClaim ? 'claim' : statements.map(stepOf).find((name) => name !== null);
  return {
    // A worker looks once more after each wake-up: only the look that found the job is the photo's.
    kind: isClaim && first.answer?.rows.length === 0 ? undefined : kindOf(first, step),
    step,
    role: first.role,
    writes: statements.some(({ text }) => WRITES.test(text)),
    statements,
    flights: flightsOf(statements),
  };
}

function kindOf({ text }, step) {
  if (FANS_OUT.test(text)) return undefined;
  if (step === undefined) return /\binsert into audit_events\b/.test(text) ? 'audit' : undefined;
  if (SHARED.has(step)) return undefined;
  return step === 'outbox' ? 'outbox' : 'statements';
}

function flightsOf(statements) {
  const flights = [];
  for (const statement of statements) {
    if (statement.waits || flights.length === 0) flights.push([]);
    flights.at(-1).push(statement);
  }
  return flights;
}
