import type { ReportSubject } from '../../core/report/clinical-report.js';
import { bodyMapOf, type BodyMap } from '../body-map/body-map.js';
import type { Pen } from './document-blocks.js';
import { conceptWords } from './concept-words.js';

/** The wound's place in an outline of the body; null where it is not surely known. */
export function bodyMapIn({ say }: Pen, subject: ReportSubject): BodyMap | null {
  const side = subject.laterality === null ? [] : [say(`laterality.${subject.laterality}`)];
  return bodyMapOf(subject, {
    captions: {
      front: say('bodyMap.front'),
      back: say('bodyMap.back'),
      soles: say('bodyMap.soles'),
      tops: say('bodyMap.tops'),
    },
    sides: { right: say('bodyMap.right'), left: say('bodyMap.left') },
    alt: say('bodyMap.alt', {
      place: [(subject.bodySite === null ? null : conceptWords(say, subject.bodySite)) ?? '', ...side].join(', '),
    }),
  });
}
