import './operate/metrics.e2e.js';
import './operate/scheduled-tasks.e2e.js';
import './operate/one-moment.e2e.js';
import './operate/cli-sync.e2e.js';
import './operate/start.e2e.js';
