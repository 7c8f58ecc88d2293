import type { Media, Patient, ServiceRequest } from '@medplum/fhirtypes';
import { er7 } from './applied-message.js';
import { mediaOf, orderOf } from './intake-resources.js';
import { Dice } from './mutations.js';

/** A person of a history. */
export interface DrawnPerson {
  /** MR. */
  readonly number: string;
  readonly family: string;
  readonly given: string;
  /** `19510714`. */
  readonly birthDate: string;
}

/** How a resource over FHIR says whose it is. */
export const SUBJECT_FORMS = ['id', 'number', 'address', 'contained'] as const;
export type SubjectForm = (typeof SUBJECT_FORMS)[number];

type What = 'announce' | 'photo' | 'order' | 'correct' | 'cancel' | 'merge';
interface Happening {
  readonly what: What;
  readonly person: DrawnPerson;
  /** Index of the photo; null: it is none. */
  readonly photo: number | null;
  /** In words, for who has to understand a failure. */
  readonly words: string;
}
/** One thing that happens, by one door. */
export type MeetingStep = Happening &
  (
    | { readonly by: 'hl7'; readonly listener: 'orders' | 'cameras'; readonly message: string }
    | { readonly by: 'fhir'; readonly form: SubjectForm; readonly number: string | null }
    | { readonly by: 'rest' }
  );

export interface MeetingHistory {
  readonly steps: readonly MeetingStep[];
  /** Nothing speaks against anything: everybody is announced or named by who makes a record, each photo is asked for, each order has a photo, nothing is cancelled. All ends in results. */
  readonly isPlain: boolean;
}

export const MR = 'urn:oid:1.2.3.4.5.6';
export const PLACER_NUMBERS = 'urn:oid:1.2.3.4.5.7';
/** The cameras know no more of an authority than its name, or not even that. */
export const CAMERA_SETTINGS = { systems: { HOSP: MR }, bareNumbers: { '*': MR } };
export const TAKEN_AT = '2026-03-15T09:40:00+01:00';
const PLACER = 'EHR^1.2.3.4.5.7^ISO';
const PANEL = '39135-9^Wound assessment panel^LN';
const LOCAL = 'WUND^Wunddoku^L';

const PEOPLE: readonly Omit<DrawnPerson, 'number'>[] = [
  { family: 'Beispiel', given: 'Anna', birthDate: '19510714' },
  { family: 'Muster', given: 'Bernd', birthDate: '19620203' },
];
const PHOTOS_OF_ONE = 2;

/** Whose photo it is. */
export function personOf(photo: number): DrawnPerson {
  const index = Math.floor(photo / PHOTOS_OF_ONE);
  return { ...PEOPLE[index]!, number: `MRN-${index + 1}` };
}

/**
 * What comes of two people's wounds in one history: ADT, orders, photos, a further order, a correction, a cancellation, a merge; by two listeners with
 * different forms of the number, over FHIR and REST, in any order, some of it twice or never.
 */
export function drawMeetings(seed: number, photos: readonly string[]): MeetingHistory {
  const dice = new Dice(seed);
  const told = PEOPLE.map(
    (person, index) => new DrawnStory(dice, { ...person, number: `MRN-${index + 1}` }, index, photos),
  );
  const steps = told.flatMap((story) => story.tell());
  for (let place = steps.length - 1; place > 0; place -= 1) {
    const other = dice.below(place + 1);
    [steps[place], steps[other]] = [steps[other]!, steps[place]!];
  }
  return { steps, isPlain: told.every((story) => story.isPlain) };
}

/** The history as a person would tell it, with what each step was refused for. */
export function inWords({ steps }: MeetingHistory, refusals: readonly (readonly string[])[] = []): string {
  const outcomeOf = (index: number): string => (refusals[index] ?? []).map((code) => ` (${code})`).join('');
  return steps.map(({ words }, index) => `${index + 1}. ${words}${outcomeOf(index)}`).join('\n');
}

/** What happens to one person's wound. */
class DrawnStory {
  private readonly steps: MeetingStep[] = [];
  private readonly asked = new Set<string>();
  private readonly named: (string | null)[] = [];
  private isCancelled = false;
  /** HL7 and REST make a record of whom they name, and so does a Patient that is written for its id; a number alone makes nobody. */
  private isKnown = false;

  constructor(
    private readonly dice: Dice,
    private readonly person: DrawnPerson,
    private readonly index: number,
    private readonly photos: readonly string[],
  ) {}

  get isPlain(): boolean {
    const isAskedFor = (number: string | null): boolean =>
      number !== null && (number === 'REST' || this.asked.has(number));
    return (
      this.isKnown &&
      !this.isCancelled &&
      this.named.every(isAskedFor) &&
      [...this.asked].every((number) => this.named.includes(number))
    );
  }

  tell(): MeetingStep[] {
    const [first, further] = [`O-${this.index + 1}`, `O-${this.index + 1}-2`];
    if (this.chance(60)) this.announce();
    this.photo(0, first);
    const second = this.chance(60);
    if (second) this.photo(1, this.chance(40) ? further : first);
    if (this.chance(85)) this.order(first);
    if (second && this.chance(60)) this.order(further);
    if (this.chance(25)) this.correct();
    if (this.chance(15)) this.cancel(first);
    if (this.chance(25)) this.merge();
    return this.steps;
  }

  private chance(percent: number): boolean {
    return this.dice.below(100) < percent;
  }

  private add(step: MeetingStep): void {
    this.steps.push(step);
    if (this.chance(10)) this.steps.push(step);
  }

  private hl7(
    what: What,
    words: string,
    listener: 'orders' | 'cameras',
    message: string,
    photo: number | null = null,
  ): void {
    this.isKnown = true;
    const said = `${words} by HL7 (${listener}, ${message.split('\r')[0]!.split('|')[8]})`;
    this.add({ by: 'hl7', what, person: this.person, photo, words: said, listener, message });
  }

  private fhir(what: What, words: string, number: string | null, photo: number | null = null): void {
    const form = this.dice.pick(SUBJECT_FORMS);
    if (form === 'id') this.isKnown = true;
    const said = `${words} over FHIR (subject: ${form})`;
    this.add({ by: 'fhir', what, person: this.person, photo, words: said, form, number });
  }

  private announce(): void {
    this.hl7(
      'announce',
      `${this.person.number} is announced`,
      'orders',
      er7('ADT^A08^ADT_A01', 'EVN|A08|20260315', this.pid()),
    );
  }

  private photo(place: number, number: string): void {
    const photo = this.index * PHOTOS_OF_ONE + place;
    const named = this.chance(80) ? number : null;
    const words = `photo ${photo} of ${this.person.number}, ${named ?? 'no order'},`;
    if (this.chance(20)) {
      this.named.push('REST');
      this.isKnown = true;
      return this.add({ by: 'rest', what: 'photo', person: this.person, photo, words: `${words} over REST` });
    }
    this.named.push(named);
    if (this.chance(45)) return this.fhir('photo', words, named, photo);
    const asks = this.chance(40);
    if (asks && named !== null) this.asked.add(named);
    if (asks && named === null) this.named.push('REST');
    const code = asks ? PANEL : LOCAL;
    this.hl7(
      'photo',
      `${words}${asks ? '' : ' asking for nothing'}`,
      'cameras',
      this.photoMessage(named, code, photo),
      photo,
    );
  }

  private order(number: string): void {
    const words = `order ${number} for ${this.person.number}`;
    if (this.chance(35)) {
      this.asked.add(number);
      return this.fhir('order', words, number);
    }
    const asks = this.chance(85);
    if (asks) this.asked.add(number);
    this.hl7(
      'order',
      `${words}${asks ? '' : ' of something else'}`,
      'orders',
      this.orderMessage(number, 'NW', asks ? PANEL : LOCAL),
    );
  }

  private correct(): void {
    const married = { ...this.person, family: marriedName(this.person.family) };
    this.hl7(
      'correct',
      `${this.person.number} is called ${married.family} now`,
      'orders',
      er7('ADT^A31^ADT_A05', 'EVN|A31|20260315', pidOf(married, FULL)),
    );
  }

  private cancel(number: string): void {
    this.isCancelled = true;
    this.hl7('cancel', `order ${number} is cancelled`, 'orders', this.orderMessage(number, 'CA', PANEL));
  }

  private merge(): void {
    const survivor = { ...this.person, number: `${this.person.number}0` };
    const prior = `MRG|${this.person.number}^^^${FULL}^MR`;
    this.hl7(
      'merge',
      `${this.person.number} ends in ${survivor.number}`,
      'orders',
      er7('ADT^A40^ADT_A39', 'EVN|A40|20260315', pidOf(survivor, FULL), prior),
    );
  }

  private pid(): string {
    return pidOf(this.person, FULL);
  }

  private photoMessage(number: string | null, code: string, photo: number): string {
    const placer = number === null ? '' : `${number}^${PLACER}`;
    return er7(
      'ORU^R01^ORU_R01',
      pidOf(this.person, this.dice.pick(['HOSP', ''])),
      `ORC|RE|${placer}`,
      `OBR|1|${placer}||${code}|||20260315094000+0100`,
      `OBX|1|ED|72170-4^Photographic image^LN|1|EHR^IM^JPEG^Base64^${this.photos[photo]}||||||F`,
      'OBX|2|ST|wound-id^Wound number^99SUT|1|W-1||||||F',
    );
  }

  private orderMessage(number: string, action: string, code: string): string {
    const placer = `${number}^${PLACER}`;
    return er7(
      'OMG^O19^OMG_O19',
      this.pid(),
      `ORC|${action}|${placer}|||||||20260315090000+0100|||31^Pflege^Petra`,
      `OBR|1|${placer}||${code}`,
    );
  }
}

const FULL = 'HOSP&1.2.3.4.5.6&ISO';

function marriedName(family: string): string {
  return `${family}-Neu`;
}

function pidOf({ number, family, given, birthDate }: DrawnPerson, authority: string): string {
  return `PID|1||${number}^^^${authority}^MR||${family}^${given}||${birthDate}|U`;
}

export function fhirPatientOf({ number, family, given, birthDate }: DrawnPerson): Patient {
  return {
    resourceType: 'Patient',
    identifier: [{ system: MR, value: number }],
    name: [{ family, given: [given] }],
    birthDate: birthDate.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'),
  };
}

/** The photo or order of a step over FHIR. `patientId`: of the Patient here, for the form `id`. */
export function fhirResourceOf(
  step: MeetingStep & { readonly by: 'fhir' },
  photos: readonly string[],
  patientId: string,
): Media | ServiceRequest {
  const identifier = { system: PLACER_NUMBERS, value: step.number ?? '' };
  const whose = subjectOf(step, patientId);
  if (step.photo === null) return { ...orderOf('', { identifier: [identifier] }), ...whose } as ServiceRequest;
  const basedOn = step.number === null ? {} : { basedOn: [{ type: 'ServiceRequest', identifier }] };
  return {
    ...mediaOf({ data: photos[step.photo]! }, {}, { createdDateTime: TAKEN_AT }),
    ...basedOn,
    ...whose,
  } as Media;
}

function subjectOf({ form, person }: MeetingStep & { readonly by: 'fhir' }, patientId: string): object {
  const identifier = { system: MR, value: person.number };
  switch (form) {
    case 'id':
      return { subject: { reference: `Patient/${patientId}` } };
    case 'number':
      return { subject: { type: 'Patient', identifier } };
    case 'address':
      return { subject: { reference: `https://ehr.test/fhir/Patient/${person.number}`, identifier } };
    case 'contained':
      return { contained: [{ ...fhirPatientOf(person), id: 'whose' }], subject: { reference: '#whose' } };
  }
}
