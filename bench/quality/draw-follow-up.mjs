#!/usr/bin/env node
/** Draws the examples of docs/follow-up.md into docs/pictures/follow-up, flagged by the service's own rules. Run it where a rule changes. */
import { runBuilt } from '../../scripts/built-program.mjs';

await runBuilt('tools/draw-follow-up.js');
