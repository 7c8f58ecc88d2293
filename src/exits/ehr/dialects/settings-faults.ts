import { MEASURES } from '../../../core/measurement/measures.js';
import type { EhrPush, PushContent } from '../../../core/ehrs/ehr.js';
import { unitsOf } from './figures.js';

/** The sentence, where the thing is to be sent. */
export function refused({ send }: EhrPush, thing: PushContent, sentence: string): readonly string[] {
  return send.includes(thing) ? [sentence] : [];
}

/** Photos go nowhere by this exit. */
export function photoFaults(settings: EhrPush): readonly string[] {
  return refused(
    settings,
    'photo',
    'Photos are not filed in an EHR: the document shows them, and GET /fhir/Media reads them. Leave "photo" out of "send".',
  );
}

/** Names of the code map that are no measures, and units that figures are not converted to. */
export function unitFaults({ codes }: EhrPush): readonly string[] {
  const unknown = Object.keys(codes ?? {}).filter((name) => !(MEASURES as readonly string[]).includes(name));
  const names = unknown.map((name) => `"${name}" of "codes" is none of ${MEASURES.join(', ')}.`);
  const units = MEASURES.flatMap((measure) => {
    const unit = codes?.[measure]?.unit;
    return unit === undefined || unitsOf(measure).includes(unit)
      ? []
      : [`The unit "${unit}" of "${measure}" is not converted to: use ${unitsOf(measure).join(' or ')}.`];
  });
  return [...names, ...units];
}

/** The sentence, where results would name no encounter. */
export function encounterFaults({ encounterRule }: EhrPush, sentence: string): readonly string[] {
  return encounterRule === 'none' ? [`${sentence}: set "encounterRule" to "identifier" or "period".`] : [];
}
