/** What differs from photo to photo: ids, the patient, moments, and numbers of advisory locks, which are digests. */
const TOKEN =
  /^-?\d{12,20}$|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|series-[0-9a-z]{6}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d\d:\d\d)/g;
const MOMENT = /^\d{4}-\d\d-\d\dT/;
/** A moment this close to the statement's own is reckoned from now; one that lies further off stands, such as when a photo was taken. */
const PRESENT_MS = 86_400_000;

/** The text as constants and tokens by turns, a constant first and last. */
export function splitText(text) {
  const constants = [];
  const tokens = [];
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (MOMENT.test(match[0])) continue;
    constants.push(text.slice(from, match.index));
    tokens.push(match[0]);
    from = match.index + match[0].length;
  }
  return { constants: [...constants, text.slice(from)], tokens };
}

/**
 * The text as pieces to be filled: strings that stand, `{ slot }` for a value of the photo at hand, `{ afterMs }` for a moment.
 *
 * @param slotOf the slot of an id or patient, or undefined where it stands
 * @param at when the statement was sent, in ms
 */
export function piecesOf(text, slotOf, at) {
  const pieces = [];
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    const piece = pieceOf(match[0], slotOf, at);
    if (piece === undefined) continue;
    if (match.index > from) pieces.push(text.slice(from, match.index));
    pieces.push(piece);
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

function pieceOf(token, slotOf, at) {
  if (MOMENT.test(token)) {
    const afterMs = Date.parse(token) - at;
    return Math.abs(afterMs) < PRESENT_MS ? { afterMs } : undefined;
  }
  const slot = slotOf(token);
  return slot === undefined ? undefined : { slot };
}

/** A constant without what no two runs have in common: moments and measured times. */
export function withoutTimes(constant) {
  return constant
    .replace(TOKEN, (token) => (MOMENT.test(token) ? 'moment' : token))
    .replace(/("\w+Ms":)\s*[\d.]+/g, '$1 0');
}
