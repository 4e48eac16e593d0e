import './connect-and-sync.e2e.js';
import './connection.e2e.js';
import './runs.e2e.js';
import './events.e2e.js';
import './cancel.e2e.js';
import './concurrency.e2e.js';
