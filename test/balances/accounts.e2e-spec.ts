import './accounts.e2e.js';
import './account-life.e2e.js';
import './merge-accounts.e2e.js';
import './currencies.e2e.js';
import './own-accounts.e2e.js';
import './statements.e2e.js';
