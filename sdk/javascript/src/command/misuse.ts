/** The command was called wrongly: the message says how it is called. Exit code 2. */
export class Misuse extends Error {}

/** The command cannot go on: the message says why, and what to do. Exit code 1. */
export class Failure extends Error {}
