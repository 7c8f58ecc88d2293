#!/usr/bin/env node
/**
 * How often the follow-up is wrong, on simulated wounds with the repeatability of the shipped models:
 *
 *   node bench/quality/simulate-follow-up.mjs [WOUNDS]
 *
 * Prints the tables of docs/follow-up.md, "How often they are wrong": 2,000 wounds a line unless WOUNDS says otherwise. A minute; the
 * same figures at each run.
 */
import { runBuilt } from '../../scripts/built-program.mjs';

await runBuilt('tools/simulate-follow-up.js');
