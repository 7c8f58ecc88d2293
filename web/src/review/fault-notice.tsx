import { Refusal, type RefusalCode } from '../shared/api.js';
import { RefusalNotice } from '../shared/components/refusal-notice.js';
import type { Words } from './words/en.js';

/** Why something was not done: in the words of this page where it knows them, else in the gateway's own. */
export function FaultNotice({ fault, words }: { readonly fault: unknown; readonly words: Words }) {
  const text = fault instanceof Refusal ? wordsOf(fault, words) : null;
  if (text === null) return <RefusalNotice fault={fault} />;
  return (
    <div className="notice bad" role="alert">
      {text}
    </div>
  );
}

function wordsOf({ code, errors }: Refusal, words: Words): string | null {
  if (errors.some(({ pointer }) => pointer === '/subject/patientId')) return words.unknownPatient;
  const known: Readonly<Partial<Record<RefusalCode, string>>> = {
    'review.session': words.ended,
    'review.link': words.linkUsed,
    'rate.limited': words.throttled,
    network: words.network,
    'report.not_found': words.gone,
    'capture.future': words.toCome,
    'calibration.implausible': words.scaleFault,
  };
  return known[code] ?? null;
}
