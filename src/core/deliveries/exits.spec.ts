import { SuturaError } from '../errors/sutura-error.js';
import type { DeliveryExit, ExitDelivery } from './delivery-exit.js';
import { Exits } from './exits.js';

/** An exit with one parked delivery, sent again only with the attempts that it has. */
function exitWith(attempts: number): DeliveryExit {
  const delivery = { id: 'd1', state: 'parked', attempts } as ExitDelivery;
  const exit: Pick<DeliveryExit, 'name' | 'named' | 'requeue'> = {
    name: 'hl7',
    named: (id) => Promise.resolve(id === 'd1' ? delivery : null),
    requeue: (found) =>
      found.attempts === attempts ? Promise.resolve(null) : Promise.reject(new SuturaError('hl7.not_parked')),
  };
  return exit as DeliveryExit;
}

describe('a parked delivery of many', () => {
  it('is not sent again where it was tried and parked anew since it was chosen', async () => {
    const exits = new Exits([exitWith(5)]);
    await expect(exits.requeue('d1', 4, 'user:ada')).rejects.toMatchObject({ code: 'hl7.not_parked' });
    expect(await exits.requeue('d1', 5, 'user:ada')).toBeNull();
    await expect(exits.requeue('d2', 5, 'user:ada')).rejects.toMatchObject({ code: 'delivery.not_found' });
  });
});
