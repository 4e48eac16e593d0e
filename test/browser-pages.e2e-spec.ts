import { ANYBODY, describePages } from './browser/every-page.js';
import { LOOKS } from './browser/looks.js';

// `npm run test:long` looks at the pages of everybody, light and dark, wide and narrow.
describePages(ANYBODY, LOOKS.slice(0, 1));
