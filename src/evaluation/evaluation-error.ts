/** The command was called wrongly; the message says what is meant. */
export class UsageError extends Error {}

/** Something that was to be read cannot be, or does not fit; the message names the file. */
export class UnreadableInputError extends Error {}
