import type { DeskSession } from './types.js';
import type { Words } from './words/en.js';

/** What every part of the desk is given. */
export interface DeskPart {
  readonly session: DeskSession;
  readonly words: Words;
  readonly language: string;
}
