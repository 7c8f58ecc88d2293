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

/** With the offset of the page's clocks on that day: another device, which goes on with it, may lie in another zone. */
export function withOffset(typed: string): string {
  const east = -new Date(typed).getTimezoneOffset();
  if (Number.isNaN(east)) return typed;
  const [hours, minutes] = [Math.trunc(Math.abs(east) / 60), Math.trunc(Math.abs(east) % 60)];
  return `${typed}${east < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}

const TYPED = 'YYYY-MM-DDThh:mm'.length;

/** As a field for day and time has it, by the clocks of this page. */
export function typedHere(at: string): string {
  const typed = at.slice(0, TYPED);
  if (at === typed || withOffset(typed) === at) return typed;
  const moment = new Date(at);
  return Number.isNaN(moment.getTime()) ? typed : nowTyped(moment);
}

/** With which moment each step of this page began. */
const begun = new Map<string, string>();

export function newStep(kind: string): WoundStep {
  const step = { kind, reason: '', at: withOffset(nowTyped()), note: '', requestId: randomId() };
  begun.set(step.requestId, step.at);
  return step;
}

export function isUntouched({ requestId, at }: Pick<WoundStep, 'requestId' | 'at'>): boolean {
  return begun.get(requestId) === at;
}

const MINUTE_MS = 60_000;
/** For so long an untouched moment is the present one. */
const NOW_MS = 10 * MINUTE_MS;

/** Nobody touched the moment with which it began, just now: the clock of the service is right, that of a tablet perhaps not. */
export function isNow(step: Pick<WoundStep, 'requestId' | 'at'>, now = new Date()): boolean {
  return isUntouched(step) && Math.abs(now.getTime() - new Date(step.at).getTime()) < NOW_MS;
}

/**
 * RFC 3339; null where no moment was typed. Of a closing and a reopening the end of the minute, and no later than now: the photo of that very minute is
 * the one by which the wound was closed, and not one that shows it open again. `shownAt`: of the photo on the screen, whose clock may be ahead.
 */
export function momentTyped(
  { kind, at }: Pick<WoundStep, 'kind' | 'at'>,
  now = new Date(),
  shownAt: string | null = null,
): string | null {
  const begin = new Date(at).getTime();
  if (Number.isNaN(begin)) return null;
  const isStanding = kind === 'closed' || kind === 'reopened';
  const shown = Date.parse(shownAt ?? '');
  const latest = shown < begin + MINUTE_MS ? Math.max(shown, now.getTime()) : now.getTime();
  const end = Math.max(begin, Math.min(begin + MINUTE_MS - 1, latest));
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

/** The wound stands already as it was to be recorded. */
export function isMoot({ kind }: Pick<WoundStep, 'kind'>, { wound }: Pick<DeskFormFacts, 'wound'>): boolean {
  return wound.status === 'closed' ? kind === 'closed' : kind === 'reopened';
}
