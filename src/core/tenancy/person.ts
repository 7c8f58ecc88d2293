const LONGEST_PERSON = 128;
/** Controls, lone surrogates, private use and ends of lines; of invisible characters only the joiners that some scripts are written with are let through. */
const UNFIT = /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;

/** What a text that names a person may be. */
export const PERSON_RULE = `1 to ${LONGEST_PERSON} characters, none of them a control or an invisible character`;

/**
 * The person behind a request, as the calling system knows them: a number of staff, an account, or the address of a Practitioner. In composed
 * form (NFC), so that one person is one text. null for a text that breaks PERSON_RULE.
 */
export function readPerson(text: string): string | null {
  const person = text.trim().normalize('NFC');
  return person === '' || text.length > 4 * LONGEST_PERSON || [...person].length > LONGEST_PERSON || UNFIT.test(person)
    ? null
    : person;
}
