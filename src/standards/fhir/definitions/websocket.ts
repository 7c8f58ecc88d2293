// @medplum/core 5.2.13 names WebSocket while it loads, which Node has from 22 on. Nothing here opens one.
const surroundings = globalThis as { WebSocket?: unknown };
surroundings.WebSocket ??= class WebSocket extends EventTarget {};
