import type { ApiClient } from './api-client.js';
import { DrawnHistory, type VisitPhoto } from './drawn-history.js';

const HEEL = {
  woundId: 'heel-left',
  laterality: 'left',
  bodySite: { system: 'http://snomed.info/sct', code: '76853006', display: 'Heel' },
  woundType: { system: 'http://snomed.info/sct', code: '280137006', display: 'Diabetic foot ulcer' },
};
const SHIN = {
  woundId: 'shin',
  laterality: 'right',
  bodySite: { display: 'Lower leg' },
  woundType: { system: 'http://snomed.info/sct', code: '371032004', display: 'Venous ulcer' },
};
/** The same heel under the number of another ward. */
const HEEL_OF_WARD = { woundId: 'W3-2', laterality: 'left', bodySite: HEEL.bodySite };

/** Each week's photographer stands elsewhere; histories share photos, which are drawn once. */
const CM2 = {
  1.2: { areaCm2: 1.2, week: 2 },
  1.9: { areaCm2: 1.9, week: 6 },
  2.2: { areaCm2: 2.2, week: 3 },
  4: { areaCm2: 4, week: 1 },
  4.1: { areaCm2: 4.1, week: 8 },
  4.8: { areaCm2: 4.8, week: 2 },
  5.6: { areaCm2: 5.6, week: 3 },
  6.8: { areaCm2: 6.8, week: 4 },
  8.2: { areaCm2: 8.2, week: 5 },
} as const satisfies Record<number, VisitPhoto>;
const without = (photo: VisitPhoto): VisitPhoto => ({ ...photo, card: false });

/** Five patients with a wound each; what becomes of it is the name. */
export interface FiveHistories {
  readonly grows: DrawnHistory;
  readonly stalls: DrawnHistory;
  readonly comesBack: DrawnHistory;
  readonly wasTwo: DrawnHistory;
  readonly losesItsScale: DrawnHistory;
}

/** Each wound's visits one after the other, the wounds beside each other. */
export async function playFiveHistories(client: ApiClient): Promise<FiveHistories> {
  const of = (patientId: string) => new DrawnHistory(client, patientId);
  const histories = {
    grows: of('MRN-1'),
    stalls: of('MRN-2'),
    comesBack: of('MRN-3'),
    wasTwo: of('MRN-4'),
    losesItsScale: of('MRN-5'),
  };
  const { grows, stalls, comesBack, wasTwo, losesItsScale } = histories;
  await Promise.all([
    grows.visits(HEEL, [
      [0, CM2[4]],
      [14, CM2[4.8]],
      [28, CM2[5.6]],
      [42, CM2[6.8]],
      [56, CM2[8.2]],
    ]),
    stalls.visits(SHIN, [
      [0, CM2[8.2]],
      [14, CM2[5.6]],
      [28, CM2[4]],
      [42, CM2[4.1]],
      [56, { areaCm2: 4, week: 7 }],
      [70, CM2[4.1]],
    ]),
    losesItsScale.visits(SHIN, [
      [0, CM2[8.2]],
      [7, without(CM2[6.8])],
      [14, CM2[5.6]],
      [21, without(CM2[4.8])],
      [28, CM2[4]],
    ]),
    closeAndReopen(comesBack),
    takeForTwo(wasTwo),
  ]);
  return histories;
}

/** The photo of day 70 comes while the wound is closed; a person reopens it the day after. */
async function closeAndReopen(history: DrawnHistory): Promise<void> {
  await history.visits(HEEL, [
    [0, CM2[6.8]],
    [14, CM2[4]],
    [28, CM2[1.2]],
  ]);
  const woundId = await history.woundOf(28);
  await history.decide(42, woundId, 'close');
  await history.visits(HEEL, [[70, CM2[2.2]]]);
  await history.decide(71, woundId, 'reopen');
  await history.visits(HEEL, [[77, CM2[1.9]]]);
}

/** Two wards photograph one heel in turn, each under a number of its own. */
async function takeForTwo(history: DrawnHistory): Promise<void> {
  await history.visits(HEEL, [[0, CM2[8.2]]]);
  await history.visits(HEEL_OF_WARD, [[7, CM2[6.8]]]);
  await history.visits(HEEL, [[14, CM2[5.6]]]);
  await history.visits(HEEL_OF_WARD, [[21, CM2[4.8]]]);
  await history.merge(await history.woundOf(21), await history.woundOf(14));
  await history.visits(HEEL_OF_WARD, [[28, CM2[4]]]);
}
