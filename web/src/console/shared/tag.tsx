import type { ReactNode } from 'react';
import { toneOfState, type Tone } from './words.js';

/** A word in the colour of its tone. */
export function Tag({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={tone === 'plain' ? 'tag' : `tag ${tone}`}>{children}</span>;
}

/** The state of a message, a delivery or an endpoint. */
export function StateTag({ state }: { readonly state: string }) {
  return <Tag tone={toneOfState(state)}>{state}</Tag>;
}
