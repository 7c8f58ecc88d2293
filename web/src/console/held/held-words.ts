import type { HeldAction, HeldItem, HeldReason } from '../shared/answers.js';

/** Why something waits, for a person. */
export const REASON_WORDS: Readonly<Record<HeldReason, string>> = {
  identity_conflict: 'Perhaps another person under a known number',
  patient_unknown: 'Nobody has this number yet',
  order_without_photo: 'An order without its photo',
  photo_without_order: 'A photo without an order',
  wound_unclear: 'Which wound it shows is not clear',
  authority_unknown: 'Whose number it is is not known',
  photo_times_out: 'The analysis took too long each time',
  ehr_patient_not_one: 'The EHR has no such patient, or several',
  ehr_encounter_not_one: 'The EHR has no such visit, or several',
  ehr_outcome_unknown: 'Whether the EHR filed it is not known',
};

/** What a person decides by an action. */
export interface ActionWords {
  readonly label: string;
  /** What it does, and whether it can be taken back. */
  readonly question: string;
  /** What the person has to state with it. */
  readonly asks?: { readonly field: 'authority' | 'to'; readonly label: string; readonly hint: string };
}

export const ACTION_WORDS: Readonly<Record<HeldAction, ActionWords>> = {
  same: {
    label: 'It is the same person',
    question: 'The record gets name, birth date and sex from what came, and what waited is filed there.',
  },
  another: {
    label: 'It is another person',
    question:
      'What waited is filed under a record of the authority that you named. Later messages alike go there, too.',
    asks: { field: 'authority', label: 'Whose number it is', hint: 'a URI, such as urn:oid:2.999.2' },
  },
  discard: {
    label: 'Discard it',
    question: 'It stays in the history, and nothing of it is ever filed. This cannot be taken back.',
  },
  link: {
    label: 'It belongs to …',
    question: 'What waited is filed under what you named.',
    asks: { field: 'to', label: 'What it belongs to', hint: 'Type/id, such as Patient/0199…' },
  },
  accept: { label: 'As it is proposed', question: 'What the service proposes counts from now on.' },
  same_authority: {
    label: 'They are the first facility’s numbers',
    question:
      'What waits goes on, and all numbers of the facility are those of the first one from now on. Records with one number are joined, unless birth date or given names speak against it.',
  },
  own_authority: {
    label: 'The facility has numbers of its own',
    question: 'What waits goes on, and a number of the facility is another patient’s than the same number elsewhere.',
  },
  retry: { label: 'Analyse it once more', question: 'It is analysed again, at no charge.' },
  wait: { label: 'Take it off the list', question: 'Nothing else is changed: what comes later is taken as ever.' },
};

/** What an action does, where that is something else for this reason. */
const QUESTIONS: Partial<Readonly<Record<HeldReason, Partial<Readonly<Record<HeldAction, string>>>>>> = {
  patient_unknown: {
    accept:
      'The patient gets a record from what the messages say, and they are worked off. A mistyped number becomes a patient: look at them first.',
    retry: 'The message is read once more, and taken over if nothing stands against it now.',
    discard:
      'What came over FHIR is entered in error, and its analysis is cancelled; of messages nothing is ever filed. This cannot be taken back.',
  },
  authority_unknown: {
    same: 'The two records are joined: everything of the second one is the first one’s. This cannot be taken back.',
    discard: 'They stay two records. The number leads to the first one.',
  },
  wound_unclear: {
    link: 'Its results join the course of the wound that you named, which is compared anew. Over REST this can be taken back (unmerge).',
    wait: 'Nothing is said of which wound it is: it stays a series of its own, and is asked about again once the patient has a further wound with a number.',
  },
  photo_times_out: { discard: 'It leaves the list, and its analysis stays failed.' },
};

/** What an action is called, where that is something else for this reason. */
const LABELS: Partial<Readonly<Record<HeldReason, Partial<Readonly<Record<HeldAction, string>>>>>> = {
  patient_unknown: { accept: 'It is a new patient', retry: 'Try it again' },
  wound_unclear: { link: 'It is the wound …' },
};

export function labelOf(reason: HeldReason, action: HeldAction): string {
  return LABELS[reason]?.[action] ?? ACTION_WORDS[action].label;
}

export function questionOf(reason: HeldReason, action: HeldAction): string {
  return QUESTIONS[reason]?.[action] ?? ACTION_WORDS[action].question;
}

/** Where in this console a person sees what came; null: it is a word to search for elsewhere. */
export function linksOf({ came }: Pick<HeldItem, 'came'>): readonly { readonly words: string; readonly to: string }[] {
  const search = (id: string) => `/search?${new URLSearchParams({ q: id }).toString()}`;
  return [
    ...came.messageIds.map((id) => ({ words: `message ${id}`, to: `/messages/${id}` })),
    ...came.imageIds.map((id) => ({ words: `photo ${id}`, to: search(id) })),
    ...came.jobIds.map((id) => ({ words: `job ${id}`, to: search(id) })),
    ...came.orders.map((id) => ({ words: `order ${id}`, to: search(id) })),
    ...came.patientIds.map((id) => ({ words: `patient record ${id}`, to: search(id) })),
    ...came.resources.map((address) => ({ words: address, to: search(address.split('/').at(-1)!) })),
  ];
}
