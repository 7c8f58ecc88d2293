import type { OrderAction } from '../plan/inbound-plan.js';
import { lookUp } from '../../er7/table-lookup.js';

/** The action that each ORC-1 of an order (table 0119) asks for. Status messages of the placer ask for none. */
const CONTROLS: Readonly<Record<string, OrderAction['kind']>> = {
  NW: 'create',
  XO: 'change',
  RP: 'change',
  CA: 'cancel',
  DC: 'cancel',
  HD: 'hold',
  RL: 'release',
  ...{ SN: 'none', SC: 'none', SR: 'none', RE: 'none' },
};

/** null: the code is not supported. */
export function orderActionOf(control: string): OrderAction | null {
  const kind = lookUp(CONTROLS, control);
  return kind === undefined ? null : { control, kind };
}
