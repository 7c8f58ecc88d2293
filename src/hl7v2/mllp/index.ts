export { MllpClient, MllpDeliveryError, type Acknowledgment, type MllpClientOptions, type MllpClientTls } from './mllp-client.js';
export {
  MllpListener,
  type MllpConnection,
  type MllpHandler,
  type MllpListenerEvent,
  type MllpListenerOptions,
  type MllpTls,
} from './mllp-listener.js';
export { SYSTEM_TIMERS, type RunningTimer, type Timers } from './mllp-timers.js';
