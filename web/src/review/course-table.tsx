import { Button } from '../shared/components/controls.js';
import type { DeskPart } from './desk-part.js';
import { dayTaken } from './time-taken.js';
import { statusWord } from './status-words.js';
import { toneOf, verdictWord } from './verdict-tones.js';

interface CourseTableProps extends DeskPart {
  readonly shown: string;
  readonly show: (reportId: string) => void;
}

/** The course of the wound: each photo with its area and state, oldest first. */
export function CourseTable({ session, shown, show, words, language }: CourseTableProps) {
  return (
    <section aria-label={words.course}>
      <div className="desk-scroll" tabIndex={0} role="group" aria-label={words.course}>
        <table className="desk-course">
          <thead>
            <tr>
              <th scope="col">{words.date}</th>
              <th scope="col">{words.area}</th>
              <th scope="col">{words.verdict}</th>
              <th scope="col">{words.status}</th>
            </tr>
          </thead>
          <tbody>
            {session.series.map(({ reportId, areaCm2, status, verdict, ...taken }) => (
              <tr key={reportId} aria-current={reportId === shown ? 'true' : undefined}>
                <td>
                  <Button onPress={() => show(reportId)}>{dayTaken(taken, language)}</Button>
                </td>
                <td>{areaCm2 === null ? words.noArea : `${areaCm2.value.toLocaleString(language)} cm²`}</td>
                <td>
                  <span className={`desk-word ${toneOf(verdict)}`}>{verdictWord(verdict, words)}</span>
                </td>
                <td>{statusWord(status, words)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
