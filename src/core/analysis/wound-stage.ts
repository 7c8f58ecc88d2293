/**
 * How deep or how grave a person found a wound to be: pressure injuries by the NPIAP (2016, mucosal ones are not staged by number), diabetic feet by
 * Wagner (grade) or the University of Texas (grade and stage). Stated, never told from a photo.
 */
export const STAGE_VALUES = {
  wagner: ['0', '1', '2', '3', '4', '5'],
  pressure: ['1', '2', '3', '4', 'unstageable', 'suspected_deep_tissue_injury', 'mucosal'],
  texas: ['0A', '0B', '0C', '0D', '1A', '1B', '1C', '1D', '2A', '2B', '2C', '2D', '3A', '3B', '3C', '3D'],
} as const;
export type StageSystem = keyof typeof STAGE_VALUES;
export type StageValue = (typeof STAGE_VALUES)[StageSystem][number];

export const STAGE_SYSTEMS = Object.keys(STAGE_VALUES) as readonly StageSystem[];
/** Code points of the name of whoever stated a stage. */
export const LONGEST_STATED_BY = 200;

/** A stage as a person stated it. */
export interface WoundStage {
  readonly system: StageSystem;
  readonly value: StageValue;
  /** A name, as given. */
  readonly statedBy?: string | undefined;
  /** `ClinicalTime`, where that is not the time of the photo. */
  readonly statedAt?: string | undefined;
}

export function isStageOf(system: StageSystem, value: string): value is StageValue {
  return (STAGE_VALUES[system] as readonly string[]).includes(value);
}
