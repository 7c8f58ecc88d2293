/** Stands visibly for a character that cannot be printed. */
export const UNPRINTABLE = '\ufffd';

// Controls, half characters, and marks that turn the reading order of what follows: none may change how the rest of a report reads.
const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/gu;

/** Another's free text with its line breaks; what cannot be printed is replaced visibly. */
export function asGiven(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(HARMFUL, UNPRINTABLE)
    .trim();
}

/** The same without line breaks: for ids and names. */
export function oneLine(text: string): string {
  return asGiven(text).replace(/\s*\n\s*/g, ' ');
}
