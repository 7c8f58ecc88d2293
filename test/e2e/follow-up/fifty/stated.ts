import type { ClinicianObservations } from '../../../../src/core/analysis/clinician-observations.js';

type Mutable = { -readonly [Field in keyof ClinicianObservations]: ClinicianObservations[Field] };

/** What a nurse stated, in the words of the history; undefined: nothing. */
export function observationsOf(words: readonly string[]): ClinicianObservations | undefined {
  const stated: Mutable = {};
  for (const phrase of words) read(phrase, stated);
  return Object.keys(stated).length === 0 ? undefined : stated;
}

function read(phrase: string, stated: Mutable): void {
  const [first, ...rest] = phrase.split(' ');
  const numbers = [...phrase.matchAll(/\d+(?:\.\d+)?/g)].map(([number]) => Number(number));
  const words = rest as never[];
  switch (first ?? '') {
    case 'depth':
      stated.depthCm = numbers[0];
      break;
    case 'undermined':
      stated.undermining = [{ depthCm: numbers[0]!, fromClock: numbers[1]!, toClock: numbers[2] }];
      break;
    case 'tunnel':
      stated.tunnelling = [{ depthCm: numbers[0]!, clock: numbers[1]! }];
      break;
    case 'exudate':
      stated.exudate = words[0];
      if (words.length > 1) stated.exudateType = words[1];
      break;
    case 'odour':
      stated.odour = words[0];
      break;
    case 'pain':
      stated.painNrs = numbers[0];
      break;
    case 'skin':
      stated.periwound = words;
      break;
    case 'ruler':
      [stated.lengthCm, stated.widthCm] = numbers;
      break;
    case 'signs:':
      stated.infectionSigns = rest.join(' ').split(' + ');
      break;
    default:
    // Said of the photo or its wound: no finding of the bedside.
  }
}
