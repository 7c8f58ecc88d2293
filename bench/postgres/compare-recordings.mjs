import { splitText, withoutTimes } from './tokens.mjs';

/**
 * Fails unless what the second patient's photos wrote is what the first one's did, with other ids in the same places: so nothing that the
 * script takes for the same in every photo is another value in truth. Reads that a gateway remembers for a while may differ in number.
 *
 * @param units those of each photo, of either recording
 */
export function assertSameScript(ours, theirs) {
  const idOf = new Map();
  for (const [photo, units] of ours.entries()) {
    const where = `photo ${photo + 1}`;
    const [told, toldAgain] = [units, theirs[photo]].map(handlersOf);
    if (told !== toldAgain) throw new Error(`${where} told of events to ${told}, then to ${toldAgain}.`);
    const [written, again] = [units, theirs[photo]].map(writtenOf);
    if (written.length !== again.length)
      throw new Error(
        `${where} was written in ${written.length} statements, then in ${again.length}: ${differenceOf(written, again)}`,
      );
    for (const [at, one] of written.entries()) compare(one, again[at], idOf, `${where}, ${one.step}`);
  }
}

/** Handled events leave in one statement or in several, as it happens. */
function handlersOf(units) {
  const outboxes = units.filter(({ kind }) => kind === 'outbox');
  return outboxes
    .flatMap(({ statements: [{ values }] }) => namesOf(values[0]))
    .toSorted()
    .join(', ');
}

/** Elements of a PostgreSQL array of plain words. */
export const namesOf = (array) => array.match(/[^{}",]+/g) ?? [];

function writtenOf(units) {
  return units.filter(({ kind, writes }) => writes && kind !== 'outbox').flatMap(textsOf);
}

function differenceOf(written, again) {
  const [ours, theirs] = [written, again].map((all) =>
    all.map(({ texts: [text] }) => splitText(text).constants.join()),
  );
  const firstOther = ours.findIndex((text, at) => text !== theirs[at]);
  return [ours, theirs].map((texts) => excerpt(texts[firstOther])).join(' | ');
}

/** Every text that was sent for a unit, parameters included. */
function textsOf({ step = 'audit', statements }) {
  return statements.map(({ text, values }) => ({ step, texts: [text, ...values.map((value) => String(value))] }));
}

function compare({ texts }, other, idOf, where) {
  if (texts.length !== other.texts.length) throw new Error(`${where}: other parameters.`);
  for (const [at, text] of texts.entries()) {
    const [ours, theirs] = [splitText(text), splitText(other.texts[at])];
    const differing = ours.constants.findIndex(
      (constant, index) => withoutTimes(constant) !== withoutTimes(theirs.constants[index] ?? ''),
    );
    if (differing >= 0 || ours.constants.length !== theirs.constants.length)
      throw new Error(
        `${where}, parameter ${at} differs: ${excerpt(ours.constants[differing])} | ${excerpt(theirs.constants[differing])}`,
      );
    for (const [index, token] of ours.tokens.entries()) {
      if ((idOf.get(token) ?? theirs.tokens[index]) !== theirs.tokens[index])
        throw new Error(`${where}, parameter ${at}: an id stands for two others.`);
      idOf.set(token, theirs.tokens[index]);
    }
  }
}

const excerpt = (text = 'nothing') => text.slice(0, 300);
