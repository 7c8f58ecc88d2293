import type { ClosureReason } from '../../../src/core/followup/wound.js';
import { randomId } from './random-id.js';
import type { DeskFormFacts, Draft } from './types.js';
import type { Words } from './words/en.js';

/** What is to be recorded of the wound itself, as far as it is typed. */
export type WoundStep = NonNullable<Draft['work']['woundStep']>;
/** Reasons that a person gives; that wounds grew together is recorded as a relation of both. */
export const REASONS = ['healed', 'amputated', 'grafted', 'transferred', 'died', 'entered_in_error', 'other'] as const;

/** By the clocks of the page, to the minute, as a field for day and time has it. */
export function nowTyped(now = new Date()): string {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

export function newStep(kind: string): WoundStep {
  return { kind, reason: '', at: nowTyped(), note: '', requestId: randomId() };
}

const MINUTE_MS = 60_000;

/**
 * RFC 3339; null where no moment was typed. Of a closing and a reopening the end of the minute, and no later than now: the photo of that very minute is
 * the one by which the wound was closed, and not one that shows it open again.
 */
export function momentTyped({ kind, at }: Pick<WoundStep, 'kind' | 'at'>, now = new Date()): string | null {
  const begin = new Date(at).getTime();
  if (Number.isNaN(begin)) return null;
  const isStanding = kind === 'closed' || kind === 'reopened';
  const end = Math.max(begin, Math.min(begin + MINUTE_MS - 1, now.getTime()));
  return new Date(isStanding ? end : begin).toISOString();
}

export function reasonWord(reason: string, words: Words): string {
  const known: Readonly<Record<ClosureReason, string>> = {
    healed: words.reasonHealed,
    amputated: words.reasonAmputated,
    grafted: words.reasonGrafted,
    merged: words.reasonMerged,
    transferred: words.reasonTransferred,
    died: words.reasonDied,
    entered_in_error: words.reasonError,
    other: words.reasonOther,
  };
  return (known as Readonly<Partial<Record<string, string>>>)[reason] ?? reason;
}

export function eventWord(type: string, { words }: DeskFormFacts): string {
  return words.events.find(({ value }) => value === type)?.word ?? type;
}
