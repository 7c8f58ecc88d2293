import { defineSuturaWound } from '/element.mjs';

defineSuturaWound();
