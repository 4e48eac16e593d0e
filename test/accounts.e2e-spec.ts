import './accounts/accounts.e2e.js';
import './accounts/account-life.e2e.js';
import './accounts/merge-accounts.e2e.js';
import './accounts/currencies.e2e.js';
