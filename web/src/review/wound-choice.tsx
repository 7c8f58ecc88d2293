import { useState } from 'react';
import { Button } from '../shared/components/controls.js';
import type { DeskPart } from './desk-part.js';
import type { DeskSession } from './types.js';

interface WoundChoiceProps extends DeskPart {
  /** The wound that is shown. */
  readonly present: string | undefined;
  readonly shown: string;
  readonly show: (reportId: string) => void;
}

/** The wounds of the patient whose chart is open; each leads to its last photo. */
export function WoundChoice({ session, words, present, shown, show }: WoundChoiceProps) {
  // The one of what was rejected or given away may have gone with its last photo: the others are the way on.
  const isAway = woundOf(session, shown) === undefined;
  if (session.wounds.length < 2 && !isAway) return null;
  if (session.wounds.length === 0) return null;
  return (
    <nav className="desk-tools" aria-label={words.woundsOfPatient}>
      <strong>{words.woundsOfPatient}</strong>
      {session.wounds.map(({ woundId, label, status }) => {
        const last = session.series.findLast((entry) => entry.woundId === woundId);
        return (
          <Button
            key={woundId}
            look={woundId === present ? 'primary' : 'plain'}
            aria-pressed={woundId === present}
            onPress={() => ((woundId === present && !isAway) || last === undefined ? undefined : show(last.reportId))}
          >
            {status === 'closed' ? `${label} (${words.closedWound})` : label}
          </Button>
        );
      })}
    </nav>
  );
}

/** The desk of the wound that is shown: what is beside its photo is of this wound alone. */
export function ofShownWound(session: DeskSession, present: string | undefined): DeskSession {
  if (session.of !== 'patient') return session;
  return { ...session, series: session.series.filter(({ woundId }) => woundId === present) };
}

/** The wound of the report that is shown; that one still after the report was rejected or given away, and is in no series. */
export function useShownWound(session: DeskSession, shown: string): string | undefined {
  const [last, keep] = useState({ shown, woundId: woundOf(session, shown) });
  const woundId = woundOf(session, shown) ?? (last.shown === shown ? last.woundId : undefined);
  if (last.shown !== shown || last.woundId !== woundId) keep({ shown, woundId });
  return woundId;
}

function woundOf({ series }: DeskSession, shown: string): string | undefined {
  return series.find(({ reportId }) => reportId === shown)?.woundId;
}
