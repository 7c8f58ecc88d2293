import { Button } from '../shared/components/controls.js';
import type { DeskPart } from './report-panel.js';
import type { DeskSession } from './types.js';

interface WoundChoiceProps extends DeskPart {
  readonly shown: string;
  readonly show: (reportId: string) => void;
}

/** The wounds of the patient whose chart is open; each leads to its last photo. */
export function WoundChoice({ session, words, shown, show }: WoundChoiceProps) {
  const present = woundOf(session, shown);
  if (session.wounds.length < 2) return null;
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
            onPress={() => (woundId === present || last === undefined ? undefined : show(last.reportId))}
          >
            {status === 'closed' ? `${label} (${words.closedWound})` : label}
          </Button>
        );
      })}
    </nav>
  );
}

/** The desk of the wound that is shown: what is beside its photo is of this wound alone. */
export function ofShownWound(session: DeskSession, shown: string): DeskSession {
  if (session.of !== 'patient') return session;
  const present = woundOf(session, shown);
  return { ...session, series: session.series.filter(({ woundId }) => woundId === present) };
}

function woundOf({ series }: DeskSession, shown: string): string | undefined {
  return series.find(({ reportId }) => reportId === shown)?.woundId;
}
