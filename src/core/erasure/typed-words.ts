import type { PatientWords } from './patient-record.js';

/** Stands where the words of an erased patient were. */
export const ERASED_WORDS = '[erased]';
/** Shorter ones would be found in everything. */
const SHORTEST_NAME = 2;
/** Parameters that say how a search answers, and not whom it is about. */
const OF_ANSWER = /^_(?!has|filter|typeFilter|content|text|id$)/;

/** Ids that this service gave: no word of anybody, though a part of one may look like a number. */
const OWN_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const OWN_RESOURCE = /^[A-Za-z]+\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:-v\d+(?:-[a-z]{2})?)?$/;

/** What a text is searched for: the words of a patient, each as a sequence of letters and digits. */
export function needlesOf({ numbers, names }: PatientWords): readonly string[] {
  const given = [...numbers.map(({ value }) => value), ...names.filter((name) => name.length >= SHORTEST_NAME)];
  return [...new Set(given.map(sequenceOf))].filter((needle) => needle !== '');
}

/** True if a raw query contains one of them. */
export function queryNames(query: string, needles: readonly string[]): boolean {
  return query.split('&').some((parameter) => {
    const [name = '', ...value] = parameter.split('=');
    return !OF_ANSWER.test(name) && textNames(decoded(value.length === 0 ? name : value.join('=')), needles);
  });
}

/** True if a text has one of them, between characters that are neither letter nor digit. */
export function textNames(text: string, needles: readonly string[]): boolean {
  const sequence = ` ${sequenceOf(text.replaceAll(OWN_ID, ' '))} `;
  return needles.some((needle) => sequence.includes(` ${needle} `));
}

/** True if a resource is named by an id that this service gave. */
export function isOwnResource(resource: string): boolean {
  return OWN_RESOURCE.test(resource);
}

function sequenceOf(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
    .join(' ');
}

/** As a form has it; what is no such text stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
