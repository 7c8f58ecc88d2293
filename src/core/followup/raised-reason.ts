import type { ReasonCode, Verdict } from './course.js';
import type { FlagCode } from './flag-codes.js';

/** Why a receiver has to be told of a report at once: a flag, a verdict that is worse, what is worse, or much necrosis that nobody has confirmed. */
export type RaisedReason = FlagCode | Verdict | ReasonCode | 'unconfirmed_necrosis';
