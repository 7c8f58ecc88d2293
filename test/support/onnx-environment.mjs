import { TestEnvironment } from 'jest-environment-node';

/**
 * Node with the array classes of the process itself: ONNX Runtime's native part makes and checks its arrays with those,
 * while a test file runs in a world of its own. For specs that begin with `@jest-environment ./test/support/onnx-environment.mjs`.
 */
export default class OnnxEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    Object.assign(this.global, { Float32Array, Uint8Array, BigInt64Array, BigUint64Array, Int32Array });
  }
}
