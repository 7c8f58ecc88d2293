import type { Delimiters } from './er7-message.js';

export const STANDARD_DELIMITERS: Delimiters = {
  field: '|',
  component: '^',
  repetition: '~',
  escape: '\\',
  subcomponent: '&',
  truncation: null,
};

/** A noncharacter of Unicode: separates nothing. */
const NEVER = '\uFDD0';
const MAY_SEPARATE = /^[!-/:-@[-`{-~]$/;

/** MSH-2 of a message that begins with MSH. */
export function encodingCharactersOf(segment: string): string {
  const end = segment.indexOf(segment[3] ?? '', 4);
  return segment.slice(4, end === -1 ? undefined : end);
}

/**
 * The delimiters after `MSH`; null: they are not usable. Where MSH-2 states fewer than four, those of the standard are meant (HL7 v2.5.1 ch. 2.5.4),
 * as senders write `&` in authorities all the same. `^~&` lacks the escape character, which a sender lost: nothing is escaped then.
 */
export function readDelimiters(segment: string): Delimiters | null {
  const field = segment[3] ?? '';
  if (!segment.startsWith('MSH') || !MAY_SEPARATE.test(field)) return null;
  const characters = [...encodingCharactersOf(segment)];
  const isUsable =
    characters.length >= 1 &&
    characters.length <= 5 &&
    characters.every((one) => MAY_SEPARATE.test(one)) &&
    new Set(characters).size === characters.length;
  if (!isUsable) return null;
  const lostEscape = characters.length === 3 && characters[2] === STANDARD_DELIMITERS.subcomponent;
  const [component, repetition, escape, subcomponent, truncation = null] = lostEscape
    ? [...characters.slice(0, 2), NEVER, characters[2]]
    : characters;
  const taken = new Set([field, ...characters]);
  const meant = (name: 'component' | 'repetition' | 'escape' | 'subcomponent'): string =>
    taken.has(STANDARD_DELIMITERS[name] as string) ? NEVER : (STANDARD_DELIMITERS[name] as string);
  return {
    field,
    component: component ?? meant('component'),
    repetition: repetition ?? meant('repetition'),
    escape: escape ?? NEVER,
    // Whoever states an escape character and no fourth has no subcomponents.
    subcomponent: subcomponent ?? (characters.length < 3 ? meant('subcomponent') : NEVER),
    truncation,
  };
}
