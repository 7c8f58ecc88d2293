import type { InfectionSign } from './resources.js';

/** The service adds words over time: take one that you do not know as it is. */
type Open<Known extends string> = Known | (string & Record<never, never>);

/** Why a person closed a wound: `healed` alone is a cure. */
export type ClosureReason = Open<
  'healed' | 'amputated' | 'grafted' | 'merged' | 'transferred' | 'died' | 'entered_in_error' | 'other'
>;

/** One finding that a verdict rests on; docs/follow-up.md has the codes. */
export interface CourseReason {
  domain: string;
  what: string;
  /** `persists`: no wound that has it is improving; `reset`: a treatment, a joining or a splitting changed it. */
  direction: Open<'better' | 'worse' | 'persists' | 'reset'>;
  from: number | string | null;
  to: number | string | null;
  unit: string | null;
  days: number;
  interval: { lower: number; upper: number } | null;
  comparedWithReportId: string | null;
  /** Of coded signs of infection: those that are there. */
  signs?: Open<InfectionSign>[];
}

/** Better or worse, from all that is known: decision support, not a diagnosis. */
export interface Course {
  verdict: Open<'improving' | 'unchanged' | 'worsening' | 'mixed' | 'closed' | 'ended' | 'reopened' | 'unknown'>;
  since: string;
  /** Worse first. */
  because: CourseReason[];
  /** What a person has to say first; empty: nothing. */
  waitsFor: string[];
}
