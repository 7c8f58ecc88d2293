import { useState } from 'react';
import type { Tool } from './outline-editor.js';
import type { Draft, Line } from './types.js';

type DraftedWork = Draft['work'];

/** What is typed and chosen at the desk beside the outlines. */
export interface FormFields {
  readonly name: string;
  readonly note: string;
  readonly otherPatient: string;
  readonly otherWound: string;
  /** null: where the desk lays it. */
  readonly line: Line | null;
  readonly distance: string;
  readonly unit: 'mm' | 'cm';
  readonly tool: Tool;
}

const EMPTY: FormFields = {
  name: '',
  note: '',
  otherPatient: '',
  otherWound: '',
  line: null,
  distance: '',
  unit: 'mm',
  tool: 'points',
};

function fieldsOf({ reviewerName, note, reassignment, ruler, screen }: DraftedWork): FormFields {
  return {
    name: reviewerName,
    note,
    otherPatient: reassignment?.patientId ?? '',
    otherWound: reassignment?.woundId ?? '',
    line: ruler?.line ?? null,
    distance: ruler?.distance ?? '',
    unit: ruler?.unit ?? 'mm',
    tool: screen.tool,
  };
}

/** The fields of the desk; `edition` counts how often they were filled anew from elsewhere. */
export function useDeskForm(draft: DraftedWork | null) {
  const [form, setForm] = useState(() => ({
    ...(draft === null ? EMPTY : fieldsOf(draft)),
    edition: 0,
    /** A name that stands since a decision is no draft. */
    settledName: '',
  }));
  return {
    ...form,
    change: (fields: Partial<FormFields>) => setForm((known) => ({ ...known, ...fields })),
    bring: (other: DraftedWork) => setForm((known) => ({ ...known, ...fieldsOf(other), edition: known.edition + 1 })),
    /** After a decision: who sits here stays, and the tool in hand. */
    settle: () =>
      setForm(({ name, tool, edition }) => ({ ...EMPTY, name, tool, edition: edition + 1, settledName: name })),
  };
}

export type DeskForm = ReturnType<typeof useDeskForm>;

/** What of it is kept in a draft, and whether that is anything. */
export function draftedFields(form: DeskForm): Pick<DraftedWork, 'reviewerName' | 'note' | 'reassignment' | 'ruler'> & {
  readonly isEmpty: boolean;
} {
  const { name, note, otherPatient, otherWound, line, distance, unit, settledName } = form;
  const reassignment =
    otherPatient === '' && otherWound === '' ? null : { patientId: otherPatient, woundId: otherWound };
  const ruler = line === null ? null : { line, distance, unit };
  const isEmpty = name === settledName && note === '' && reassignment === null && ruler === null;
  return { reviewerName: name, note, reassignment, ruler, isEmpty };
}
