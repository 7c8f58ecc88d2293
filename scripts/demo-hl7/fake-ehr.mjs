import { DemoFailure } from '../demo-gateway.mjs';
import { fieldOf } from './er7.mjs';
import { exchange, listen } from './mllp.mjs';
import { acknowledgment } from './order-message.mjs';

const ANSWER_MS = 30_000;

/** A hospital's system: places orders at the gateway's listener, and receives results at its own. */
export class FakeEhr {
  #results = [];
  #waiting = [];
  #server;

  /** `gateway`: host and port where the gateway listens. */
  constructor(gateway) {
    this.gateway = gateway;
  }

  async open() {
    this.#server = await listen((message) => this.#take(message));
    return this;
  }

  get port() {
    return this.#server.port;
  }

  close() {
    this.#server?.close();
  }

  /** Sends an order; the acknowledgment. */
  send(message) {
    return exchange(this.gateway, message, ANSWER_MS);
  }

  /** The first result of an order, whenever it came. */
  resultOf(orderNumber, patienceMs) {
    const known = this.#results.find((message) => isOf(message, orderNumber));
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((settle, fail) => {
      const patience = setTimeout(
        () =>
          fail(
            new DemoFailure(
              `No result of order ${orderNumber} has come in ${patienceMs / 1000} s. "npm run cli -- hl7 messages" says where it is.`,
            ),
          ),
        patienceMs,
      );
      this.#waiting.push({ orderNumber, settle, patience });
    });
  }

  #take(message) {
    const code = fieldOf(message, 'MSH', 9).split('^');
    if (code[0] === 'ORU') this.#keep(message);
    // Accepted at once where that is asked for (enhanced mode), else answered for the application.
    return acknowledgment({
      controlId: fieldOf(message, 'MSH', 10),
      event: code[1] ?? '',
      accept: fieldOf(message, 'MSH', 15) !== '',
    });
  }

  #keep(message) {
    this.#results.push(message);
    const found = this.#waiting.findIndex(({ orderNumber }) => isOf(message, orderNumber));
    if (found === -1) return;
    const [{ settle, patience }] = this.#waiting.splice(found, 1);
    clearTimeout(patience);
    settle(message);
  }
}

function isOf(message, orderNumber) {
  return fieldOf(message, 'OBR', 2).split('^')[0] === orderNumber;
}
