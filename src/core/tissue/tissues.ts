/** Tissue types of the PUSH Tool 3.0, worst last; the score is the position. */
export const PUSH_TISSUES = ['closed', 'epithelial', 'granulation', 'slough', 'necrotic'] as const;
export type PushTissue = (typeof PUSH_TISSUES)[number];

/** The origin of a share: a model trained on experts' labels, the colour rule, the remainder, or a clinician in a review. */
export type TissueMethod = 'model' | 'cielab_rule' | 'remainder' | 'clinician';

/** `stripes` run from lower left to upper right, `lines` from left to right. */
export type TissuePattern = 'plain' | 'stripes' | 'dots' | 'lines';

/** One tissue class. Codes and words stand in tables keyed by `Tissue`: docs/developer/add-a-tissue.md. */
export interface TissueClass {
  /** Place in published lists (OBX-4 of HL7 v2). Receivers match rows by it: never renumber, a new class takes the next one. */
  readonly number: number;
  /** false for the remainder, which is no tissue of the bed. */
  readonly inWoundBed: boolean;
  /** null: the PUSH Tool has no such type. */
  readonly push: PushTissue | null;
  /** The origin of the share if the tissue model has no class of this name. */
  readonly withoutModelClass: TissueMethod;
  /** Only a clinician's statement makes it a finding: until then it has no code of its own and feeds no flag and no score. */
  readonly needsClinician: boolean;
  /** sRGB, in every document. Told apart in greyscale too: middle grey, light, black, nearly white. */
  readonly colour: `#${string}`;
  /** Drawn over the colour, so that a copy in grey and every eye can tell it apart. */
  readonly pattern: TissuePattern;
}

/** In the order in which they are listed. */
const CLASSES = {
  granulation: {
    number: 1,
    inWoundBed: true,
    push: 'granulation',
    withoutModelClass: 'model',
    needsClinician: false,
    colour: '#b5473c',
    pattern: 'plain',
  },
  slough: {
    number: 2,
    inWoundBed: true,
    push: 'slough',
    withoutModelClass: 'model',
    needsClinician: false,
    colour: '#e3c65a',
    pattern: 'stripes',
  },
  necrosis: {
    number: 3,
    inWoundBed: true,
    push: 'necrotic',
    withoutModelClass: 'cielab_rule',
    needsClinician: true,
    colour: '#222222',
    pattern: 'dots',
  },
  other: {
    number: 4,
    inWoundBed: false,
    push: null,
    withoutModelClass: 'remainder',
    needsClinician: false,
    colour: '#dfe5e9',
    pattern: 'lines',
  },
} as const satisfies Readonly<Record<string, TissueClass>>;

export type Tissue = keyof typeof CLASSES;
/** Tissues of the wound bed: the classes that a tissue model may have. */
export type BedTissue = { [Name in Tissue]: (typeof CLASSES)[Name]['inWoundBed'] extends true ? Name : never }[Tissue];

export const TISSUE_TABLE: Readonly<Record<Tissue, TissueClass>> = CLASSES;
export const TISSUES = Object.keys(CLASSES) as readonly Tissue[];

/** Shares of the wound bed, to three digits; together exactly 1. */
export interface TissueComposition extends Readonly<Record<Tissue, number>> {
  readonly method: Readonly<Record<Tissue, TissueMethod>>;
}

/** One value for each tissue. */
export function perTissue<Value>(valueOf: (tissue: Tissue) => Value): Record<Tissue, Value> {
  return Object.fromEntries(TISSUES.map((tissue) => [tissue, valueOf(tissue)])) as Record<Tissue, Value>;
}

/** The tissues that a composition tells apart. One that was stored before a class was added lacks it. */
export function tissuesOf(composition: TissueComposition): readonly Tissue[] {
  return TISSUES.filter((tissue) => tissue in composition);
}
