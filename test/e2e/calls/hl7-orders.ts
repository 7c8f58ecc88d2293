import type { EhrReceiver, ReceiverMode } from '../../peers/mllp-receiver.js';
import { EhrSender } from '../../peers/mllp-sender.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { fieldOf, orderMessage } from '../../support/hl7-hospital.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

export interface OrderingGround {
  readonly gateway: SharedGateway;
  readonly organizationId: string;
  readonly receiver: EhrReceiver;
  /** Of the listener. */
  readonly port: number;
}

/** Orders that come in one after the other, each of a patient of its own; a photo's seed is its number. */
export class Orders {
  count = 0;

  constructor(private readonly ground: OrderingGround) {
    // Table HL70357: of what sending again would not change.
    ground.receiver.refusal = { condition: '103' };
  }

  /** Lets one come in and its result go out to an EHR in this mood; the id of the result once it is in this state. */
  async place(mode: ReceiverMode, state: string): Promise<string> {
    this.ground.receiver.mode = mode;
    const known = await this.outbound(state);
    this.count += 1;
    const sender = await EhrSender.connect(this.ground.port);
    const photo = await drawWoundPhoto({ seed: this.count + 1 });
    const answer = await sender.ask(orderMessage({ order: `ORD-${this.count}`, mrn: `MRN-${this.count}`, photo }));
    await sender.destroy();
    expect(fieldOf(answer ?? '', 'MSA', 1)).toBe('AA');
    return eventually(`a result that is ${state}`, async () =>
      (await this.outbound(state)).find((messageId) => !known.includes(messageId)),
    );
  }

  private async outbound(state: string): Promise<string[]> {
    const { gateway, organizationId } = this.ground;
    const path = `/hl7/messages?direction=out&organizationId=${organizationId}&environment=test&state=${state}`;
    const { items } = (await gateway.admin('GET', path)).body as { items: readonly { messageId: string }[] };
    return items.map(({ messageId }) => messageId);
  }
}
