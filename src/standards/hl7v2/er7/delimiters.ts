import type { Delimiters } from './er7-message.js';

export const STANDARD_DELIMITERS: Delimiters = {
  field: '|',
  component: '^',
  repetition: '~',
  escape: '\\',
  subcomponent: '&',
  truncation: null,
};

/** Noncharacters of Unicode, used where a sender states fewer than four encoding characters. */
const NEVER = ['\uFDD0', '\uFDD1', '\uFDD2', '\uFDD3'] as const;
const MAY_SEPARATE = /^[!-/:-@[-`{-~]$/;

/**
 * The delimiters after `MSH`; null: they are not usable. Where MSH-2 states fewer than four, the missing ones separate
 * nothing (HL7 v2.5.1 ch. 2.5.4: a delimiter that is not needed may be left out).
 */
export function readDelimiters(segment: string): Delimiters | null {
  const field = segment[3] ?? '';
  if (!segment.startsWith('MSH') || !MAY_SEPARATE.test(field)) return null;
  const end = segment.indexOf(field, 4);
  const encoding = segment.slice(4, end === -1 ? undefined : end);
  const characters = [...encoding];
  const isUsable =
    characters.length >= 1 &&
    characters.length <= 5 &&
    characters.every((one) => MAY_SEPARATE.test(one)) &&
    new Set(characters).size === characters.length;
  if (!isUsable) return null;
  const [component = NEVER[0], repetition = NEVER[1], escape = NEVER[2], subcomponent = NEVER[3], truncation = null] =
    characters;
  return { field, component, repetition, escape, subcomponent, truncation };
}
