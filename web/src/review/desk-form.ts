import { useState } from 'react';
import type { Tool } from './editor-parts.js';
import type { Draft, Line, Statements } from './types.js';
import type { WoundStep } from './wound-step.js';

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
  readonly stated: Statements;
  /** null: none was begun. */
  readonly woundStep: WoundStep | null;
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
  stated: {},
  woundStep: null,
};

function fieldsOf({ reviewerName, note, reassignment, ruler, stated, woundStep, screen }: DraftedWork): FormFields {
  return {
    name: reviewerName,
    note,
    otherPatient: reassignment?.patientId ?? '',
    otherWound: reassignment?.woundId ?? '',
    line: ruler?.line ?? null,
    distance: ruler?.distance ?? '',
    unit: ruler?.unit ?? 'mm',
    tool: screen.tool,
    stated: stated ?? {},
    woundStep: woundStep ?? null,
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
    /** A row of the form is another than in the report. */
    hasStated: Object.keys(form.stated).length > 0,
    /** After a decision: who sits here stays, the tool in hand, and what is to be recorded of the wound itself. */
    settle: () =>
      setForm(({ name, tool, woundStep, edition }) => ({
        ...EMPTY,
        name,
        tool,
        woundStep,
        edition: edition + 1,
        settledName: name,
      })),
  };
}

export type DeskForm = ReturnType<typeof useDeskForm>;

/** What of it is kept in a draft, and whether that is anything. */
export function draftedFields(form: DeskForm): Pick<
  DraftedWork,
  'reviewerName' | 'note' | 'reassignment' | 'ruler' | 'stated' | 'woundStep'
> & {
  readonly isEmpty: boolean;
} {
  const { name, note, otherPatient, otherWound, line, distance, unit, stated, woundStep, hasStated, settledName } =
    form;
  const reassignment =
    otherPatient === '' && otherWound === '' ? null : { patientId: otherPatient, woundId: otherWound };
  const ruler = line === null ? null : { line, distance, unit };
  const isEmpty =
    name === settledName && note === '' && reassignment === null && ruler === null && !hasStated && woundStep === null;
  return {
    reviewerName: name,
    note,
    reassignment,
    ruler,
    ...(hasStated ? { stated } : {}),
    ...(woundStep === null ? {} : { woundStep }),
    isEmpty,
  };
}
