import type { BodyStructure, Extension } from '@medplum/fhirtypes';
import { CLOSURE_REASONS } from '../../../../core/followup/wound.js';
import { ClinicalTime } from '../../../../core/times/clinical-time.js';
import { profileUrl } from '../../../../reports/index.js';
import type { Er7Segment } from '../../../../standards/hl7v2/er7/er7-message.js';
import type { ProblemPlace } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import { sentCodesOf } from '../reading/coded-values.js';
import { placeIn, timeOf, type Reading } from '../reading/message-reading.js';

const CLOSING = profileUrl('wound-closing');

/** That a person found a wound closed, as a row says it. */
export interface SentClosing {
  readonly extension: Extension;
  readonly place: ProblemPlace;
  /** The row itself says when: it is no other one than that of another day. */
  readonly isDated: boolean;
}

/** The reason in OBX-5, and when it was decided; undefined: nothing is said of that, or nothing that is understood, with a warning. */
export function closingOf(
  reading: Reading,
  obx: Er7Segment | undefined,
  obr: Er7Segment | null,
): SentClosing | undefined {
  if (obx === undefined) return undefined;
  const codes = sentCodesOf(obx.field(5).repetitions[0]).map(({ code }) => code.toLowerCase().replaceAll('-', '_'));
  const reason = CLOSURE_REASONS.find((one) => codes.includes(one));
  if (reason === undefined)
    return (
      reading.draft.warn(
        'code.unknown',
        placeIn(obx, 5),
        `A wound is closed as ${CLOSURE_REASONS.join(', ')}. It was not closed.`,
      ) ?? undefined
    );
  const stated = timeOf(reading, obx, 14)?.dateTime;
  const closedAt = stated ?? (obr === null ? undefined : timeOf(reading, obr, 7)?.dateTime);
  const extension = {
    url: CLOSING,
    extension: [
      { url: 'reason', valueCode: reason },
      ...(closedAt === undefined ? [] : [{ url: 'closedAt', valueDateTime: closedAt }]),
    ],
  };
  return { extension, place: placeIn(obx), isDated: stated !== undefined };
}

/**
 * The extensions of a wound that is known, with a closing that is new. What was said before changes nothing, and what cannot be done is a warning, so
 * that the photo and the findings of the message are taken.
 */
export async function withClosing(
  { records, source, draft }: Reading,
  before: BodyStructure,
  closing: SentClosing | undefined,
): Promise<Pick<BodyStructure, 'extension'>> {
  if (closing === undefined) return {};
  const { extension: all = [] } = before;
  const [sent, known] = [partsOf(closing.extension), partsOf(all.find(({ url }) => url === CLOSING))];
  if (sent.reason === known.reason && sent.closedAt === known.closedAt) return {};
  const isSaidAgain = (reason: string | null) => !closing.isDated && reason === sent.reason;
  const standing = await records.standingOf(source, before.id!);
  const warn = (text: string) => {
    draft.warn('finding.kept', closing.place, text);
    return {};
  };
  if (standing?.status === 'merged') return warn(PART_OF_ANOTHER);
  if (standing?.status === 'closed') return isSaidAgain(standing.reason) ? {} : warn(CLOSED_ALREADY);
  const closedAt = sent.closedAt === undefined ? null : ClinicalTime.read(sent.closedAt);
  const since = standing?.since ?? null;
  const isOlder = closedAt !== null && since !== null && closedAt.spanIn(source.timeZone).high < since;
  if (isOlder || isSaidAgain(known.reason ?? null)) return warn(REOPENED_SINCE);
  return { extension: [...all.filter(({ url }) => url !== CLOSING), closing.extension] };
}

const PART_OF_ANOTHER = 'The wound is part of another one by now. Neither was closed: close that one.';
const CLOSED_ALREADY = 'The wound is closed already, and stays as it was closed. If that was wrong, reopen it first.';
const REOPENED_SINCE =
  'The wound was reopened since then, and was not closed again: OBX-14 says when it was found closed anew.';

function partsOf(closing: Extension | undefined): { readonly reason?: string; readonly closedAt?: string } {
  const part = (name: string) => closing?.extension?.find(({ url }) => url === name);
  const [reason, closedAt] = [part('reason')?.valueCode, part('closedAt')?.valueDateTime];
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(closedAt === undefined ? {} : { closedAt }),
  };
}
