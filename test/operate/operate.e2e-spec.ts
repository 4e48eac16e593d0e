import './metrics.e2e.js';
import './scheduled-tasks.e2e.js';
import './one-moment.e2e.js';
import './cli-sync.e2e.js';
import './start.e2e.js';
