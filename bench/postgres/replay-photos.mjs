import { randomBytes, randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { ReplayedGateway } from './replayed-gateway.mjs';

/** A notification that does not come within this time was lost. */
const PATIENCE_MS = 30_000;
const PATIENT_DIGITS = 6;

/** The values of one patient's photos. */
class Series {
  #values;

  constructor(slots, tenant, number) {
    this.slots = slots;
    this.#values = new Array(slots.length);
    const given = {
      organization: tenant.organizationId,
      key: tenant.keyId,
      patient: `series-${number.toString(36).padStart(PATIENT_DIGITS, '0')}`,
    };
    for (const [slot, { from }] of slots.entries()) this.#values[slot] = given[from];
  }

  /** Ids are made when they are first sent: they are ordered by time, as the gateway's. */
  valueOf(slot) {
    return (this.#values[slot] ??= this.#make(slot));
  }

  keep(slot, value) {
    this.#values[slot] = value;
  }

  momentOf(afterMs) {
    return new Date(Date.now() + afterMs).toISOString();
  }

  fill(pieces) {
    return pieces
      .map((piece) => {
        if (typeof piece === 'string') return piece;
        return piece.slot === undefined ? this.momentOf(piece.afterMs) : this.valueOf(piece.slot);
      })
      .join('');
  }

  #make(slot) {
    const { from, kind } = this.slots[slot];
    if (from !== 'made') throw new Error('An id of an answer was sent before the answer came.');
    if (kind === 'lock') return String(randomBytes(8).readBigInt64BE());
    return kind === '7' ? v7() : randomUUID();
  }
}

/**
 * Lanes that each have PostgreSQL do one photo after another, as a script of them says: patient after patient, over connections of their own.
 * Answers must have as many rows as they had to the gateway. Lanes share what those of one gateway share.
 */
export class Replay {
  /** Ids of jobs whose creation was committed. */
  accepted = [];
  ended = 0;
  latenciesMs = [];
  /** Events that photos had handled, and rows that they wrote into the audit trail. */
  noted = 0;
  auditRows = 0;
  /** Looks for a job that found all of them taken. */
  emptyClaims = 0;
  #goesOn = true;
  /** Jobs that no worker has taken yet, with what tells their lanes of it. */
  #unclaimed = new Map();

  constructor(wish) {
    this.wish = wish;
    this.script = withBytes(wish.script);
    this.fault = new Promise((_, failed) => (this.fail = failed));
    this.fault.catch(() => undefined);
  }

  async run({ lanes, gateways }) {
    const { databaseUrl, script } = this.wish;
    const opened = await Promise.all(
      Array.from({ length: gateways }, () => ReplayedGateway.open(databaseUrl, script, this.fail)),
    );
    const working = Promise.all(Array.from({ length: lanes }, (_, lane) => this.#work(lane, opened[lane % gateways])));
    await Promise.race([working, this.fault]);
    await Promise.all(opened.map((gateway) => gateway.close()));
    return { told: opened.reduce((sum, { told }) => sum + told, 0) };
  }

  stop() {
    this.#goesOn = false;
  }

  async #work(lane, gateway) {
    const { tenants, jobs, patients } = this.wish;
    const tenant = tenants[lane % tenants.length];
    const [app, system] = await Promise.all(['sutura_app', 'sutura_system'].map((role) => gateway.connect(role)));
    const connections = { sutura_app: app, sutura_system: system };
    while (this.#goesOn) {
      const series = new Series(this.script.slots, tenant, (patients.taken += 1));
      for (const photo of this.script.photos) {
        if (!this.#goesOn || this.accepted.length >= jobs) break;
        const began = performance.now();
        await this.#analyse(photo, { series, gateway, connections });
        this.noted += photo.events;
        this.auditRows += photo.auditRows;
        this.ended += 1;
        this.latenciesMs.push(performance.now() - began);
      }
      if (this.accepted.length >= jobs) this.stop();
    }
    for (const connection of [app, system]) connection.close();
  }

  async #analyse({ units, jobSlot }, at) {
    const jobId = at.series.valueOf(jobSlot);
    // Before the job is there: another lane's worker may take it as soon as it is.
    const taken = new Promise((tell) => this.#unclaimed.set(jobId, tell));
    const ended = at.gateway.endOf(jobId);
    for (const unit of units) {
      if (unit.awaitsEnd) await inTime(ended);
      if (unit.step === 'claim') await this.#claim(unit, taken, at);
      else await doUnit(unit, at);
      if (unit.step === 'create') this.accepted.push(jobId);
    }
  }

  /** A worker takes the job that has waited longest, perhaps another lane's, which gets its lease; and another worker takes this one. */
  async #claim({ step, flights: [[statement]] }, taken, { series, connections }) {
    let answer;
    do [answer] = await connections.sutura_system.send([statement], series);
    while (
      // Those that this worker could see are another's, which saw a later one, too: that one is left.
      answer.rows === 0 &&
      (this.emptyClaims += 1)
    );
    expectAnswer(step, statement, answer);
    const jobId = answer.captured.at(-1);
    const tell = this.#unclaimed.get(jobId);
    if (tell === undefined) throw new Error('A job was taken that no lane had made, or one was taken twice.');
    this.#unclaimed.delete(jobId);
    tell(answer);
    keepCaptured(statement, await taken, series);
  }
}

async function doUnit(unit, { series, gateway, connections }) {
  if (unit.kind === 'audit') await gateway.audit.run('', { text: series.fill(unit.entries), affected: unit.affected });
  else if (unit.kind === 'outbox')
    for (const { handler, slot } of unit.events) gateway.handled.note({ handler, eventId: series.valueOf(slot) });
  else
    for (const flight of unit.flights) {
      const answers = await connections[unit.role].send(flight, series);
      for (const [at, answer] of answers.entries()) {
        expectAnswer(unit.step, flight[at], answer);
        keepCaptured(flight[at], answer, series);
      }
      if (unit.awaitsEnd && answers[0].captured.at(-1) !== 'completed')
        throw new Error(`PostgreSQL told of the end of a job that was ${answers[0].captured.at(-1)}.`);
    }
}

/** Patients of an organization have the same photos here, taken at the same moments: the looks for one that was sent or filed before find more and more. */
const LOOKS_FOR_REPEATS =
  /from analysis_jobs job\s+where .*job\.captured_at =|^with mine as \(select sha256, pixel_sha256/s;

function expectAnswer(step, { text, wanted }, { rows, affected }) {
  const isAsWanted = LOOKS_FOR_REPEATS.test(String(text[0]))
    ? rows >= 0 && rows === affected
    : rows === wanted.rows && affected === wanted.affected;
  if (!isAsWanted)
    throw new Error(
      `${step}: ${rows} rows, ${affected} affected, to the gateway ${wanted.rows} and ${wanted.affected}: ${String(text[0]).slice(0, 80)}`,
    );
}

function keepCaptured({ captures }, { captured }, series) {
  for (const [at, { slot }] of captures.entries()) if (slot !== undefined) series.keep(slot, captured[at]);
}

/** The script with its constants in the form in which they are sent. */
function withBytes({ photos, slots }) {
  const bytesOf = (pieces) => pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece));
  const ready = ({ answer, ...statement }) => ({
    ...statement,
    wanted: { rows: answer.rows.length, affected: answer.affected },
    text: bytesOf(statement.text),
    values: statement.values.map((value) => (value === null ? null : bytesOf(value))),
  });
  const unitOf = (unit) =>
    unit.kind === 'statements' ? { ...unit, flights: unit.flights.map((flight) => flight.map(ready)) } : unit;
  return { slots, photos: photos.map((photo) => ({ ...photo, units: photo.units.map(unitOf) })) };
}

async function inTime(ended) {
  let timer;
  const late = new Promise((_, failed) => {
    timer = setTimeout(() => failed(new Error('PostgreSQL did not tell of the end of a job.')), PATIENCE_MS);
  });
  try {
    await Promise.race([ended, late]);
  } finally {
    clearTimeout(timer);
  }
}
