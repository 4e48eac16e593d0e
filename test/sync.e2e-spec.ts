import './sync/connect-and-sync.e2e.js';
import './sync/connection.e2e.js';
import './sync/runs.e2e.js';
import './sync/events.e2e.js';
import './sync/cancel.e2e.js';
import './sync/concurrency.e2e.js';
