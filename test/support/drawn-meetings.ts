import { Dice } from './mutations.js';
import { er7 } from './applied-message.js';

/** A person of a history. */
export interface DrawnPerson {
  /** MR. */
  readonly number: string;
  readonly family: string;
  readonly given: string;
  /** `19510714`. */
  readonly birthDate: string;
}

/** One thing that happens, by one interface. */
export type MeetingStep =
  | { readonly kind: 'announce' | 'merge'; readonly by: 'hl7'; readonly message: string; readonly person: DrawnPerson }
  | { readonly kind: 'order' | 'cancel'; readonly by: 'hl7'; readonly message: string; readonly person: DrawnPerson }
  | {
      readonly kind: 'photo';
      readonly by: 'hl7';
      readonly message: string;
      readonly person: DrawnPerson;
      readonly photo: number;
    }
  | { readonly kind: 'order'; readonly by: 'fhir'; readonly number: string; readonly person: DrawnPerson }
  | {
      readonly kind: 'photo';
      readonly by: 'fhir';
      readonly number: string | null;
      readonly person: DrawnPerson;
      readonly photo: number;
    };

export const MR = 'urn:oid:1.2.3.4.5.6';
export const PLACER_NUMBERS = 'urn:oid:1.2.3.4.5.7';
const PLACER = 'EHR^1.2.3.4.5.7^ISO';
const PANEL = '39135-9^Wound assessment panel^LN';
const LOCAL = 'WUND^Wunddoku^L';

const PEOPLE: readonly Omit<DrawnPerson, 'number'>[] = [
  { family: 'Beispiel', given: 'Anna', birthDate: '19510714' },
  { family: 'Muster', given: 'Bernd', birthDate: '19620203' },
];

/** What comes of two people's wounds in one history: by two listeners and over FHIR, in any order, some of it twice or never. */
export function drawMeetings(seed: number, photos: readonly string[]): MeetingStep[] {
  const dice = new Dice(seed);
  const steps = PEOPLE.flatMap((person, index) =>
    stepsOf(dice, { ...person, number: `MRN-${index + 1}` }, index, photos),
  );
  for (let place = steps.length - 1; place > 0; place -= 1) {
    const other = dice.below(place + 1);
    [steps[place], steps[other]] = [steps[other]!, steps[place]!];
  }
  return steps;
}

function stepsOf(dice: Dice, person: DrawnPerson, index: number, photos: readonly string[]): MeetingStep[] {
  const chance = (percent: number): boolean => dice.below(100) < percent;
  const number = `O-${index + 1}`;
  const steps: MeetingStep[] = [];
  const pid = pidOf(person);
  const add = (step: MeetingStep): void => {
    steps.push(step);
    if (chance(10)) steps.push(step);
  };
  const photo = (at: number): void => {
    const named = chance(80) ? number : null;
    if (chance(35)) return add({ kind: 'photo', by: 'fhir', number: named, person, photo: at });
    const message = photoMessage(pid, named, chance(40) ? PANEL : LOCAL, photos[at]!);
    add({ kind: 'photo', by: 'hl7', message, person, photo: at });
  };
  if (chance(60))
    add({ kind: 'announce', by: 'hl7', message: er7('ADT^A08^ADT_A01', 'EVN|A08|20260315', pid), person });
  photo(index * 2);
  if (chance(60)) photo(index * 2 + 1);
  if (chance(85)) {
    if (chance(30)) add({ kind: 'order', by: 'fhir', number, person });
    else
      add({ kind: 'order', by: 'hl7', message: orderMessage(pid, number, 'NW', chance(85) ? PANEL : LOCAL), person });
  }
  if (chance(25)) add({ kind: 'cancel', by: 'hl7', message: orderMessage(pid, number, 'CA', PANEL), person });
  if (chance(25)) {
    const survivor = { ...person, number: `${person.number}0` };
    const message = er7(
      'ADT^A40^ADT_A39',
      'EVN|A40|20260315',
      pidOf(survivor),
      `MRG|${person.number}^^^HOSP&1.2.3.4.5.6&ISO^MR`,
    );
    add({ kind: 'merge', by: 'hl7', message, person });
  }
  return steps;
}

function pidOf({ number, family, given, birthDate }: DrawnPerson): string {
  return `PID|1||${number}^^^HOSP&1.2.3.4.5.6&ISO^MR||${family}^${given}||${birthDate}|U`;
}

function photoMessage(pid: string, number: string | null, code: string, photo: string): string {
  const placer = number === null ? '' : `${number}^${PLACER}`;
  return er7(
    'ORU^R01^ORU_R01',
    pid,
    `ORC|RE|${placer}`,
    `OBR|1|${placer}||${code}|||20260315094000+0100`,
    `OBX|1|ED|72170-4^Photographic image^LN|1|EHR^IM^JPEG^Base64^${photo}||||||F`,
    'OBX|2|ST|wound-id^Wound number^99SUT|1|W-1||||||F',
  );
}

function orderMessage(pid: string, number: string, action: string, code: string): string {
  const placer = `${number}^${PLACER}`;
  return er7(
    'OMG^O19^OMG_O19',
    pid,
    `ORC|${action}|${placer}|||||||20260315090000+0100|||31^Pflege^Petra`,
    `OBR|1|${placer}||${code}`,
  );
}
