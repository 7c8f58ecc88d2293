export { readAcknowledgment, type Acknowledgment } from './acknowledgment.js';
export { encodeFrame, FrameDecoder, type FrameEvent, type FrameLimits } from './frame-decoder.js';
export { MllpClient, MllpDeliveryError, type MllpClientOptions, type MllpClientTls } from './mllp-client.js';
export type { MllpConnection, MllpHandler, MllpListenerEvent } from './mllp-handler.js';
export { MllpListener, type MllpListenerOptions, type MllpTls } from './mllp-listener.js';
export { SYSTEM_TIMERS, type RunningTimer, type Timers } from './mllp-timers.js';
