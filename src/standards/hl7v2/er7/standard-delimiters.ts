import type { Delimiters, Er7Field, Er7Message, Er7Segment } from './er7-message.js';

/** The delimiters of everything that we write. */
const USUAL = { field: '|', component: '^', repetition: '~', escape: '\\', subcomponent: '&' } as const;
const ESCAPES: Readonly<Record<string, string>> = {
  '|': '\\F\\',
  '^': '\\S\\',
  '~': '\\R\\',
  '\\': '\\E\\',
  '&': '\\T\\',
};

/** A received field, rewritten with the delimiters `|^~\&`; "" where it is absent. */
export function fieldWithStandardDelimiters(message: Er7Message, field: Er7Field): string {
  return withStandardDelimiters(field.raw, message.delimiters);
}

/** A received segment, likewise; "" where there is none. */
export function segmentWithStandardDelimiters(message: Er7Message, segment: Er7Segment | null): string {
  return segment === null ? '' : withStandardDelimiters(segment.raw, message.delimiters);
}

function withStandardDelimiters(raw: string, delimiters: Delimiters): string {
  if (isUsual(delimiters)) return raw;
  const roles = rolesOf(delimiters);
  let text = '';
  for (let at = 0; at < raw.length; at += 1) {
    const character = raw[at]!;
    const end = character === delimiters.escape ? raw.indexOf(delimiters.escape, at + 1) : -1;
    if (end === -1) {
      text += roles.get(character) ?? ESCAPES[character] ?? character;
    } else {
      text += sequence(raw.slice(at + 1, end), delimiters);
      at = end;
    }
  }
  return text;
}

/**
 * An escape sequence that stands for a delimiter of the message becomes that character, escaped where it is one of
 * ours.
 */
function sequence(
  name: string,
  { field, component, repetition, escape, subcomponent, truncation }: Delimiters,
): string {
  const meant: Readonly<Record<string, string | null>> = {
    F: field,
    S: component,
    R: repetition,
    E: escape,
    T: subcomponent,
    P: truncation,
  };
  const character = Object.hasOwn(meant, name) ? meant[name] : undefined;
  return character === undefined || character === null ? `\\${name}\\` : (ESCAPES[character] ?? character);
}

function rolesOf({ field, component, repetition, subcomponent }: Delimiters): ReadonlyMap<string, string> {
  return new Map([
    [field, USUAL.field],
    [component, USUAL.component],
    [repetition, USUAL.repetition],
    [subcomponent, USUAL.subcomponent],
  ]);
}

function isUsual({ field, component, repetition, escape, subcomponent }: Delimiters): boolean {
  return (
    field === USUAL.field &&
    component === USUAL.component &&
    repetition === USUAL.repetition &&
    escape === USUAL.escape &&
    subcomponent === USUAL.subcomponent
  );
}
