import { readFileSync } from 'node:fs';

const FIXTURES = JSON.parse(readFileSync(new URL('./fixtures.json', import.meta.url), 'utf8'));

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** Objects are merged field by field; everything else of the second replaces the first. */
function merge(base, change) {
  if (!isObject(base) || !isObject(change)) return change;
  const merged = { ...base };
  for (const [name, value] of Object.entries(change)) merged[name] = Object.hasOwn(base, name) ? merge(base[name], value) : value;
  return merged;
}

/** `{ "status": 429, "problem": "rate.limited" }` is an answer with that problem description. */
function expandProblem({ problem, ...answer }) {
  const { requestId } = FIXTURES.problem;
  const json = { ...FIXTURES.problem, status: answer.status, code: problem, detail: `What to do about ${problem}.`, ...answer.json };
  return { ...answer, headers: { 'x-request-id': requestId, ...answer.headers }, json };
}

/** Puts what fixtures.json has under a name in the place of `{ "like": "name", … }`; the other fields change or add. */
export function expandFixtures(value) {
  if (Array.isArray(value)) return value.map(expandFixtures);
  if (!isObject(value)) return value;
  const { like, ...own } = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, expandFixtures(field)]));
  if (like !== undefined && FIXTURES[like] === undefined) throw new Error(`fixtures.json has no "${like}"`);
  const whole = like === undefined ? own : merge(FIXTURES[like], own);
  return typeof whole.problem === 'string' && typeof whole.status === 'number' ? expandProblem(whole) : whole;
}
