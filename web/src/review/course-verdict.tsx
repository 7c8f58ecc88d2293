import { useEffect, useState } from 'react';
import { readCourse } from './desk-api.js';
import { FaultNotice } from './fault-notice.js';
import type { DeskPart } from './desk-part.js';
import type { DeskCourse } from './types.js';
import { TONE_SIGN, toneOf } from './verdict-tones.js';

interface CourseVerdictProps extends Pick<DeskPart, 'words'> {
  readonly told: ReadCourse;
}

/** What the wound does, before anything else: in the sentences of the report, worse before better. Colour only repeats the sign and the words. */
export function CourseVerdict({ told: { course, fault }, words }: CourseVerdictProps) {
  if (course === null) return <FaultNotice fault={fault} words={words} />;
  const { verdict, headline, since, notices, points, better } = course;
  const tone = toneOf(verdict);
  return (
    <section className={`desk-panel desk-verdict ${tone}`} aria-label={words.verdict}>
      <div className="desk-verdict-words">
        <span className="desk-verdict-sign" aria-hidden="true">
          {TONE_SIGN[tone]}
        </span>
        <div>
          <h2>{headline}</h2>
          {since === null ? null : <p className="hint">{since}</p>}
        </div>
      </div>
      {notices.map((text) => (
        <p key={text} className="notice">
          {text}
        </p>
      ))}
      <Reasons heading={words.points} texts={points} />
      <Reasons heading={words.better} texts={better} />
    </section>
  );
}

function Reasons({ heading, texts }: { readonly heading: string; readonly texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <div>
      <h3>{heading}</h3>
      <ul className="desk-reasons">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}

export interface ReadCourse {
  readonly course: DeskCourse | null;
  readonly fault: unknown;
  readonly readAnew: () => void;
}

/**
 * null while it is read, where it could not be, and while it is that of another version than the one on the screen: it is read anew with each,
 * since a decision may change the course.
 */
export function useCourse(reportId: string, version: number, language: string): ReadCourse {
  const [course, setCourse] = useState<DeskCourse | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isWanted = true;
    setFault(null);
    readCourse(reportId, language).then(
      ({ data }) => isWanted && setCourse(data),
      (refusal: unknown) => isWanted && setFault(refusal),
    );
    return () => {
      isWanted = false;
    };
  }, [reportId, version, language, attempt]);
  const readAnew = () => setAttempt((known) => known + 1);
  return { course: course?.version === version ? course : null, fault, readAnew };
}
